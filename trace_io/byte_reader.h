/// Reading the fields of record_format.h from bytes that nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/record_format.h"

namespace mqinspect::trace_io {

/// Walks bytes from front to back. A field that is not there makes the reader fail for good:
/// it and all further ones are 0 or empty.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes)
        : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()) {}

    bool ok() const { return at_ != nullptr; }
    bool at_end() const { return at_ == end_; }
    /// Bytes read so far; 0 after a failure.
    std::size_t offset() const { return ok() ? static_cast<std::size_t>(at_ - begin_) : 0; }

    std::uint64_t varint() {
        // Most numbers take one byte, and of the others most take two.
        if (at_ != end_ && *at_ < 0x80) return *at_++;
        if (end_ - at_ >= 2 && at_[1] < 0x80) {
            at_ += 2;
            return (at_[-2] & 0x7fU) | static_cast<std::uint64_t>(at_[-1]) << 7U;
        }
        const LongVarint read = long_varint(at_, end_);
        at_ = read.behind;
        if (at_ == nullptr) fail();
        return read.value;
    }
    std::int64_t number() { return model::from_zigzag(varint()); }

    /// The number of elements of a list, each of which takes a byte at least.
    std::size_t length() {
        const std::uint64_t length = varint();
        if (!ok() || length > remaining()) {
            fail();
            return 0;
        }
        return static_cast<std::size_t>(length);
    }

    std::span<const std::uint8_t> bytes(std::size_t count) {
        if (!ok() || count > remaining()) {
            fail();
            return {};
        }
        const std::span<const std::uint8_t> taken(at_, count);
        at_ += count;
        return taken;
    }

    std::string text() {
        const std::span<const std::uint8_t> taken = bytes(length());
        return {taken.begin(), taken.end()};
    }

    std::vector<std::int64_t> numbers() {
        std::vector<std::int64_t> list(length());
        for (std::int64_t& element : list)
            element = number();
        if (!ok()) list.clear();
        return list;
    }

    /// Numbers of which each is stored as its difference from the one before, modulo 2^64.
    void differences(std::span<std::int64_t> list);
    void skip_varints(std::size_t count);

    /// The two lowest bits of the next byte: of a record, its RecordKind. Precondition: !at_end().
    unsigned next_byte_kind() const { return *at_ & 3U; }

    void fail() { at_ = end_ = nullptr; }

private:
    struct LongVarint {
        std::uint64_t value = 0;
        const std::uint8_t* behind = nullptr;  ///< null: there is none
    };
    // Without the reader, so that a local one can stay in registers.
    static LongVarint long_varint(const std::uint8_t* at, const std::uint8_t* end);
    std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }

    const std::uint8_t* begin_;
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

}  // namespace mqinspect::trace_io

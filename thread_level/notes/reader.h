/// The numbers and texts of a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mqinspect::thread_level::notes {

/// Bytes that may be damaged. The first thing wrong is kept; from there on all numbers are 0.
class Reader {
public:
    /// `offset`: of the bytes in the section, or of what they were packed in.
    Reader(std::string_view bytes, std::size_t offset, bool was_packed = false)
        : bytes_(bytes), offset_(offset), was_packed_(was_packed) {}

    bool is_good() const { return error_.empty(); }
    const std::string& error() const { return error_; }
    std::size_t left() const { return is_good() ? bytes_.size() - at_ : 0; }
    std::size_t position() const { return at_; }
    /// What is left, which stays.
    std::string_view rest() const { return bytes_.substr(at_, left()); }

    void fail(std::string_view what) {
        if (!is_good()) return;
        error_ = "offset " + std::to_string(was_packed_ ? offset_ : offset_ + at_);
        if (was_packed_) error_ += ", unpacked " + std::to_string(at_);
        error_ += ": ";
        error_ += what;
    }

    char byte() {
        const std::string_view one = text(1);
        return one.empty() ? '\0' : one.front();
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (left() == 0) {
                fail("it ends too early");
                return 0;
            }
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            const std::uint64_t bits = byte & 0x7FU;
            if (shift == 63 && bits > 1) break;
            value |= bits << shift;
            if ((byte & 0x80U) == 0) return value;
        }
        fail("a number is too large");
        return 0;
    }
    std::int64_t signed_number() {
        const std::uint64_t bits = number();
        return static_cast<std::int64_t>((bits >> 1U) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
    }
    std::uint32_t number_below(std::uint64_t limit, std::string_view what) {
        const std::uint64_t value = number();
        if (is_good() && value >= limit) fail(what);
        return is_good() ? static_cast<std::uint32_t>(value) : 0;
    }
    /// Of things that take a byte at least, each.
    std::size_t count() {
        const std::uint64_t value = number();
        if (value > left()) fail("a count is larger than what follows");
        return is_good() ? static_cast<std::size_t>(value) : 0;
    }
    std::string_view text(std::uint64_t length) {
        if (length > left()) {
            fail("a string is longer than what follows");
            return {};
        }
        at_ += length;
        return bytes_.substr(at_ - length, length);
    }

private:
    std::string_view bytes_;
    std::size_t offset_;
    bool was_packed_;
    std::size_t at_ = 0;
    std::string error_;
};

}  // namespace mqinspect::thread_level::notes

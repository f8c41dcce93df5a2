/// The payload of an Event record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "model/record_format.h"

namespace mqinspect::tracer {

/// On the stack, for signal handlers.
class EventPayload {
public:
    EventPayload& number(std::int64_t value) {
        size_ = static_cast<std::size_t>(model::put_varint(bytes_ + size_, model::zigzag(value)) -
                                         bytes_);
        return *this;
    }
    EventPayload& bits(std::uint64_t value) { return number(static_cast<std::int64_t>(value)); }
    /// What does not fit is cut.
    EventPayload& text(std::string_view text) {
        const std::size_t room = sizeof bytes_ - size_ - kReserve;
        const std::size_t length = text.size() < room ? text.size() : room;
        std::uint8_t* out = model::put_varint(bytes_ + size_, length);
        std::memcpy(out, text.data(), length);
        size_ = static_cast<std::size_t>(out - bytes_) + length;
        return *this;
    }
    const std::uint8_t* data() const { return bytes_; }
    std::size_t size() const { return size_; }

private:
    /// Enough for the numbers before and behind a text.
    static constexpr std::size_t kReserve = 8 * model::kMaxVarintBytes;
    std::uint8_t bytes_[1024] = {};
    std::size_t size_ = 0;
};

}  // namespace mqinspect::tracer

/// Text into a buffer of fixed size, always terminated, cut where it is full.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mqinspect::dll {

class TextWriter {
public:
    /// Precondition: room > 0. The buffer stays the caller's.
    TextWriter(char* buffer, std::size_t room) : buffer_(buffer), room_(room) { buffer_[0] = '\0'; }

    TextWriter& append(const char* text) {
        while (*text != '\0')
            put(*text++);
        return *this;
    }
    TextWriter& append_decimal(std::int64_t value) {
        auto magnitude = static_cast<std::uint64_t>(value);
        if (value < 0) {
            put('-');
            magnitude = 0 - magnitude;
        }
        return append_digits(magnitude, 10, 1);
    }
    /// With 0x in front and at least eight digits, as handles are written.
    TextWriter& append_handle(std::uint32_t value) {
        append("0x");
        return append_digits(value, 16, 8);
    }
    bool empty() const { return length_ == 0; }

private:
    void put(char c) {
        if (length_ + 1 >= room_) return;
        buffer_[length_++] = c;
        buffer_[length_] = '\0';
    }
    TextWriter& append_digits(std::uint64_t value, unsigned base, int least) {
        char digits[24];
        int count = 0;
        while (value != 0 || count < least) {
            digits[count++] = "0123456789abcdef"[value % base];
            value /= base;
        }
        while (count > 0)
            put(digits[--count]);
        return *this;
    }

    char* buffer_;
    std::size_t room_;
    std::size_t length_ = 0;
};

}  // namespace mqinspect::dll

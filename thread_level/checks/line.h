/// A line of text that is written at once. What does not fit is left out.
#pragma once

#include <array>
#include <cstddef>

namespace mqinspect::thread_level::checks {

class Line {
public:
    /// Control characters of it become '?', but for tabs.
    Line& operator<<(const char* text);
    Line& operator<<(long number);
    /// With the line feed; false: errno says why.
    bool write_to(int file);

private:
    std::array<char, 4096> text_;
    std::size_t size_ = 0;
};

}  // namespace mqinspect::thread_level::checks

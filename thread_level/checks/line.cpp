#include "thread_level/checks/line.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace mqinspect::thread_level::checks {

Line& Line::operator<<(const char* text) {
    for (; *text != '\0' && size_ + 1 < text_.size(); ++text) {
        const bool is_control = static_cast<unsigned char>(*text) < ' ' && *text != '\t';
        text_[size_++] = is_control ? '?' : *text;
    }
    return *this;
}

Line& Line::operator<<(long number) {
    std::array<char, 24> digits;
    std::snprintf(digits.data(), digits.size(), "%ld", number);
    return *this << digits.data();
}

bool Line::write_to(int file) {
    text_[size_] = '\n';
    const ssize_t size = static_cast<ssize_t>(size_) + 1;
    ssize_t written = 0;
    do {
        written = write(file, text_.data(), size_ + 1);
    } while (written < 0 && errno == EINTR);
    if (written >= 0 && written < size) errno = ENOSPC;
    return written == size;
}

}  // namespace mqinspect::thread_level::checks

#include "inspector/target/process_maps.h"

#include <algorithm>
#include <charconv>

namespace mqinspect::target {
namespace {

class Cursor {
public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    bool number(std::uint64_t& value, int base) {
        const auto [end, error] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
        if (error != std::errc{}) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }
    bool skip(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string_view take(std::size_t length) {
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view rest_after_blanks() const {
        return rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
    }

private:
    std::string_view rest_;
};

// "7f0123456000-7f0123458000 r-xp 00001000 08:01 1234    /usr/lib/libc.so.6"
bool parse_line(std::string_view text, MapsLine& line) {
    Cursor cursor(text);
    std::uint64_t major = 0;
    std::uint64_t minor = 0;
    if (!cursor.number(line.start, 16) || !cursor.skip('-') || !cursor.number(line.end, 16) ||
        !cursor.skip(' ')) {
        return false;
    }
    const std::string_view access = cursor.take(4);
    if (access.size() != 4 || !cursor.skip(' ') || !cursor.number(line.offset, 16) ||
        !cursor.skip(' ') || !cursor.number(major, 16) || !cursor.skip(':') ||
        !cursor.number(minor, 16) || !cursor.skip(' ') || !cursor.number(line.inode, 10)) {
        return false;
    }
    line.readable = access[0] == 'r';
    line.executable = access[2] == 'x';
    line.device = major << 32 | minor;
    line.path = cursor.rest_after_blanks();
    return line.start < line.end;
}

}  // namespace

std::vector<MapsLine> parse_maps(std::string_view text) {
    std::vector<MapsLine> lines;
    std::uint64_t last = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        MapsLine line;
        if (parse_line(text.substr(0, end), line) && line.start >= last) {
            last = line.end;
            lines.push_back(line);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace mqinspect::target

/// Writes JSON from front to back, without a tree in memory.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::report {

template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// The caller pairs begin with end and gives a key to each value in an object;
/// commas, lines and escapes are the writer's part.
class JsonWriter {
public:
    /// A container's items on a line each, or all on one line. Lines stand only
    /// inside lines.
    enum class Layout { Lines, Inline };

    /// Room for so many bytes, to be asked for when much is coming.
    void reserve(std::size_t bytes) { out_.reserve(bytes); }

    void begin_object(Layout layout = Layout::Inline) { begin('{', layout); }
    void end_object() { end('}'); }
    void begin_array(Layout layout = Layout::Inline) { begin('[', layout); }
    void end_array() { end(']'); }

    void key(std::string_view name);

    void null() { literal("null"); }
    void value(bool boolean) { literal(boolean ? "true" : "false"); }
    /// Bytes that are not UTF-8 become U+FFFD.
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    /// With three decimals; null unless finite.
    void value(double number);
    template <JsonInteger T>
    void value(T number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        literal({digits, static_cast<std::size_t>(end - digits)});
    }
    /// An empty optional is null.
    template <class T>
    void value(const std::optional<T>& optional) {
        optional ? value(*optional) : null();
    }

    template <class T>
    void member(std::string_view name, const T& member_value) {
        key(name);
        value(member_value);
    }

    std::string finish() && { return std::move(out_); }

private:
    struct Level {
        Layout layout = Layout::Inline;
        bool empty = true;
    };

    void begin(char bracket, Layout layout);
    void end(char bracket);
    void literal(std::string_view text);
    void separate();
    void new_line();
    void quoted(std::string_view text);

    std::string out_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace mqinspect::report

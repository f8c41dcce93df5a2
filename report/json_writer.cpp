#include "report/json_writer.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "report/utf8.h"

namespace mqinspect::report {
namespace {

bool is_plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

}  // namespace

void JsonWriter::key(std::string_view name) {
    separate();
    quoted(name);
    out_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
    separate();
    quoted(text);
}

void JsonWriter::value(double number) {
    if (std::isfinite(number)) {
        separate();
        fmt::format_to(std::back_inserter(out_), "{:.3f}", number);
    } else {
        null();
    }
}

void JsonWriter::begin(char bracket, Layout layout) {
    separate();
    out_ += bracket;
    levels_.push_back({layout, true});
}

void JsonWriter::end(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == Layout::Lines && !level.empty) new_line();
    out_ += bracket;
}

void JsonWriter::literal(std::string_view text) {
    separate();
    out_ += text;
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) out_ += level.layout == Layout::Lines ? "," : ", ";
    level.empty = false;
    if (level.layout == Layout::Lines) new_line();
}

void JsonWriter::new_line() {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::quoted(std::string_view text) {
    out_ += '"';
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && is_plain(text[plain]))
            ++plain;
        out_ += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const CodePoint c = decode(text);
        if (!c.valid) {
            out_ += "\\ufffd";
        } else if (c.value == '"' || c.value == '\\') {
            out_ += '\\';
            out_ += text.front();
        } else if (c.value < 0x20 || c.value == 0x7F) {
            fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(c.value));
        } else {
            out_ += text.substr(0, c.bytes);
        }
        text.remove_prefix(c.bytes);
    }
    out_ += '"';
}

}  // namespace mqinspect::report

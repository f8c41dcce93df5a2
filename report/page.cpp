#include "report/page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "report/utf8.h"

namespace mqinspect::report {
namespace {

constexpr int kMinWidth = 60;
constexpr std::size_t kGap = 2;
/// The last column of a table never gets narrower than this ...
constexpr std::size_t kMinLastColumn = 24;
/// ... nor another one, to make room for it.
constexpr std::size_t kMinColumn = 6;

std::string_view escape_sequence(Style style) {
    switch (style) {
        case Style::Plain:
            return "";
        case Style::Title:
            return "\x1b[1m";
        case Style::Dim:
            return "\x1b[2m";
        case Style::Bad:
            return "\x1b[1;31m";
        case Style::Warning:
            return "\x1b[33m";
        case Style::Good:
            return "\x1b[1;32m";
    }
    return "";
}

/// The byte at which the first `width` columns of printable text end.
std::size_t byte_at_column(std::string_view text, std::size_t width) {
    std::size_t byte = 0;
    for (std::size_t column = 0; column < width && byte < text.size(); ++column) {
        byte += decode(text.substr(byte)).bytes;
    }
    return byte;
}

/// Where to end a line that may take the first `limit` bytes: before a space,
/// else behind a comma or slash, else at the limit.
std::size_t break_point(std::string_view text, std::size_t limit) {
    const std::size_t space = text.substr(0, limit + 1).rfind(' ');
    if (space != std::string_view::npos && space > 0) return space;
    const std::size_t joint = text.substr(0, limit).find_last_of(",/");
    if (joint != std::string_view::npos && joint > 0) return joint + 1;
    return limit;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging) {
    const std::string safe = printable(text);
    std::string_view rest = safe;
    std::vector<std::string> lines;
    std::size_t indent = 0;
    while (!rest.empty() && columns(rest) + indent > width) {
        const std::size_t room = width > indent ? width - indent : 1;
        const std::size_t end = break_point(rest, byte_at_column(rest, room));
        lines.push_back(std::string(indent, ' ').append(rest.substr(0, end)));
        rest.remove_prefix(end);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        indent = hanging;
    }
    if (!rest.empty() || lines.empty()) lines.push_back(std::string(indent, ' ').append(rest));
    return lines;
}

Page::Page(bool color, int width)
    : color_(color), width_(static_cast<std::size_t>(std::max(width, kMinWidth))) {}

void Page::blank() {
    end_line();
}

void Page::paragraph(Style style, std::string_view text, std::size_t indent) {
    for (const std::string& line : wrap(text, width_ - indent)) {
        spaces(indent);
        piece(style, line);
        end_line();
    }
}

void Page::piece(Style style, std::string_view text) {
    if (text.empty()) return;
    out_.append(std::exchange(pending_spaces_, 0), ' ');
    const bool styled = color_ && style != Style::Plain;
    if (styled) out_ += escape_sequence(style);
    out_ += printable(text);
    if (styled) out_ += "\x1b[0m";
}

void Page::spaces(std::size_t count) {
    pending_spaces_ += count;
}

void Page::end_line() {
    pending_spaces_ = 0;
    out_ += '\n';
}

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {}

void Table::row(std::vector<std::string> cells) {
    cells.resize(header_.size());
    rows_.push_back({std::move(cells), {}});
}

void Table::beneath(Style style, std::string text) {
    rows_.back().beneath.push_back({style, std::move(text)});
}

Table Table::without_empty_columns() const {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < header_.size(); ++i) {
        const bool used = std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
            const bool is_last = i + 1 == header_.size();
            return !row.cells[i].empty() || (is_last && !row.beneath.empty());
        });
        if (i == 0 || used) kept.push_back(i);
    }
    const auto select = [&](const std::vector<std::string>& cells) {
        std::vector<std::string> selected;
        selected.reserve(kept.size());
        for (const std::size_t i : kept)
            selected.push_back(cells[i]);
        return selected;
    };
    Table table(select(header_));
    for (const Row& row : rows_)
        table.rows_.push_back({select(row.cells), row.beneath});
    return table;
}

std::vector<std::size_t> Table::column_widths(std::size_t room) const {
    std::vector<std::size_t> widths;
    for (const std::string& title : header_)
        widths.push_back(columns(title));
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], columns(printable(row.cells[i])));
        }
        for (const Line& line : row.beneath) {
            widths.back() = std::max(widths.back(), columns(printable(line.text)));
        }
    }
    const std::size_t others = widths.size() - 1;
    const std::size_t least = std::min(widths.back(), kMinLastColumn);
    const auto taken = [&] {
        return std::accumulate(widths.begin(), widths.end() - 1, others * kGap);
    };
    while (others > 0 && taken() + least > room) {
        const auto widest = std::max_element(widths.begin(), widths.end() - 1);
        if (*widest <= kMinColumn) break;
        --*widest;
    }
    widths.back() = room > taken() + least ? room - taken() : least;
    return widths;
}

void Table::print_row(Page& page,
                      Style style,
                      const Row& row,
                      const std::vector<std::size_t>& widths,
                      std::size_t indent) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::size_t hanging = i + 1 == widths.size() ? 2 : 0;
        cells.push_back(wrap(row.cells[i], widths[i], hanging));
        height = std::max(height, cells.back().size());
    }
    const std::size_t last_column_lines = cells.back().size();
    std::vector<Style> last_styles(last_column_lines, style);
    for (const Line& line : row.beneath) {
        for (std::string& piece : wrap(line.text, widths.back(), 2)) {
            cells.back().push_back(std::move(piece));
            last_styles.push_back(line.style);
        }
    }
    height = std::max(height, cells.back().size());
    for (std::size_t y = 0; y < height; ++y) {
        page.spaces(indent);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool is_last = i + 1 == cells.size();
            const std::string_view text = y < cells[i].size() ? cells[i][y] : std::string_view{};
            page.piece(is_last && y < last_styles.size() ? last_styles[y] : style, text);
            if (!is_last) page.spaces(widths[i] - columns(text) + kGap);
        }
        page.end_line();
    }
}

void Table::print(Page& page, std::size_t indent) const {
    without_empty_columns().print_all(page, indent);
}

void Table::print_all(Page& page, std::size_t indent) const {
    const std::vector<std::size_t> widths = column_widths(page.width() - indent);
    print_row(page, Style::Dim, {header_, {}}, widths, indent);
    for (const Row& row : rows_)
        print_row(page, Style::Plain, row, widths, indent);
}

}  // namespace mqinspect::report

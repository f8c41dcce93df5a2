/// Lines and tables that fit a terminal. The only place that writes escape
/// sequences, and the only way of text into the report: all of it is escaped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::report {

enum class Style { Plain, Title, Dim, Bad, Warning, Good };

/// `text` broken into lines of at most `width` columns, at spaces where it can be;
/// lines after the first begin with `hanging` spaces. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging = 0);

class Page {
public:
    Page(bool color, int width);

    std::size_t width() const { return width_; }
    void blank();
    /// A paragraph, wrapped, `indent` columns from the left.
    void paragraph(Style style, std::string_view text, std::size_t indent = 0);

    /// Pieces of one line; the caller keeps to width(). Trailing blanks are dropped.
    void piece(Style style, std::string_view text);
    void spaces(std::size_t count);
    void end_line();

    std::string finish() && { return std::move(out_); }

private:
    bool color_;
    std::size_t width_;
    std::size_t pending_spaces_ = 0;
    std::string out_;
};

/// Left-aligned columns. The last one takes what room is left; cells that do not
/// fit their column are wrapped inside it. A column without any text is left out.
class Table {
public:
    explicit Table(std::vector<std::string> header);

    /// One cell a column.
    void row(std::vector<std::string> cells);
    /// A further line in the last column of the row above; needs one.
    void beneath(Style style, std::string text);
    void print(Page& page, std::size_t indent) const;

private:
    struct Line {
        Style style = Style::Plain;
        std::string text;
    };
    struct Row {
        std::vector<std::string> cells;
        std::vector<Line> beneath;
    };

    Table without_empty_columns() const;
    std::vector<std::size_t> column_widths(std::size_t room) const;
    static void print_row(Page& page,
                          Style style,
                          const Row& row,
                          const std::vector<std::size_t>& widths,
                          std::size_t indent);
    void print_all(Page& page, std::size_t indent) const;

    std::vector<std::string> header_;
    std::vector<Row> rows_;
};

}  // namespace mqinspect::report

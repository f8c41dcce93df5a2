#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "report/utf8.h"

namespace mqinspect::report {
namespace {

bool is_number(const std::string& cell) {
    return !cell.empty() && std::ranges::all_of(cell, [](char letter) {
        return (letter >= '0' && letter <= '9') || letter == '.' || letter == '-';
    });
}

}  // namespace

TextTable::TextTable(std::initializer_list<const char*> titles) {
    rows_.emplace_back(titles.begin(), titles.end());
}

void TextTable::add(std::vector<std::string> cells) {
    for (std::string& cell : cells)
        cell = printable(cell);
    rows_.push_back(std::move(cells));
}

std::string TextTable::print() const {
    const std::size_t count = rows_.front().size();
    std::vector<std::size_t> widths(count);
    std::vector<bool> numbers(count, !empty());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (std::size_t at = 0; at < count; ++at) {
            widths[at] = std::max(widths[at], columns(rows_[row][at]));
            if (row != 0 && !is_number(rows_[row][at])) numbers[at] = false;
        }
    }
    std::string out;
    for (const std::vector<std::string>& row : rows_) {
        std::string line;
        for (std::size_t at = 0; at < count; ++at) {
            const std::string blanks(widths[at] - columns(row[at]), ' ');
            line += "  " + (numbers[at] ? blanks + row[at] : row[at] + blanks);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

}  // namespace mqinspect::report

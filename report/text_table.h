/// Rows of cells in aligned columns.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace mqinspect::report {

class TextTable {
public:
    explicit TextTable(std::initializer_list<const char*> titles);
    /// As many cells as there are titles. They are escaped for the terminal.
    void add(std::vector<std::string> cells);
    bool empty() const { return rows_.size() == 1; }
    /// With the titles; numbers stand to the right. Each line ends in a newline.
    std::string print() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace mqinspect::report

// A snapshot's text on standard input becomes its HTML page on standard output.
#include <iostream>
#include <iterator>
#include <string>

#include "analysis/deadlock.h"
#include "model/snapshot_text.h"
#include "report/html.h"

int main() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto snapshot = mqinspect::model::parse_snapshot(text);
    if (!snapshot) {
        std::cerr << snapshot.error().message << '\n';
        return 1;
    }
    std::cout << mqinspect::report::print_html(*snapshot, mqinspect::analysis::analyze(*snapshot));
    return std::cout ? 0 : 1;
}

#include "tests/support/execution_text.h"

#include <stdexcept>

namespace mqinspect::test {

std::string trimmed(std::string text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char letter : text) {
        if (letter == '[' || letter == '(') ++depth;
        if (letter == ']' || letter == ')') --depth;
        if (letter == separator && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    std::vector<std::string> result;
    for (std::string& part : parts)
        if (std::string clean = trimmed(std::move(part)); !clean.empty())
            result.push_back(std::move(clean));
    return result;
}

std::vector<std::string> list_of(const std::string& text) {
    if (!text.starts_with('[')) return split(text, ',');
    if (!text.ends_with(']')) throw std::invalid_argument("list without end: " + text);
    return split(text.substr(1, text.size() - 2), ',');
}

Fields fields_of(const std::string& text, char separator) {
    Fields fields;
    for (const std::string& part : split(text, separator)) {
        const std::size_t equals = part.find('=');
        if (equals == part.npos) throw std::invalid_argument("not NAME=VALUE: " + part);
        fields.emplace_back(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)));
    }
    return fields;
}

std::vector<ProcessAndThread> processes_of(const std::string& text, int processes) {
    std::vector<ProcessAndThread> result;
    for (std::string part : split(text, ',')) {
        int thread = 0;
        if (const std::size_t slash = part.find('/'); slash != part.npos) {
            thread = std::stoi(part.substr(slash + 1));
            part.resize(slash);
        }
        const std::size_t dash = part.find('-');
        const bool all = part == "*";
        const int first = all ? 0 : std::stoi(part);
        const int last = all                 ? processes - 1
                         : dash == part.npos ? first
                                             : std::stoi(part.substr(dash + 1));
        if (last >= processes) throw std::invalid_argument("no such process: " + text);
        for (int process = first; process <= last; ++process)
            result.push_back({process, thread});
    }
    return result;
}

}  // namespace mqinspect::test

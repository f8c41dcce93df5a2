#include "thread_level/link/source_lines.h"

#include <fstream>

namespace mqinspect::thread_level::link {

const std::string* SourceLines::line(const std::string& file, std::uint32_t number) {
    const auto [known, is_new] = files_.try_emplace(file);
    if (is_new) {
        std::ifstream input(file);
        std::string text;
        while (std::getline(input, text)) {
            if (text.ends_with('\r')) text.pop_back();
            known->second.push_back(text);
        }
    }
    if (number == 0 || number > known->second.size()) return nullptr;
    return &known->second[number - 1];
}

bool SourceLines::is_ignored(const std::string& file, std::uint32_t number) {
    const auto has_mark = [&](std::uint32_t at) {
        const std::string* text = line(file, at);
        return text != nullptr && text->find("mpi-thread-level: ignore") != std::string::npos;
    };
    return has_mark(number) || (number > 1 && has_mark(number - 1));
}

}  // namespace mqinspect::thread_level::link

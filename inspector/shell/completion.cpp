#include "inspector/shell/completion.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "inspector/shell/command_table.h"
#include "inspector/shell/filter.h"
#include "inspector/shell/words.h"
#include "model/worlds.h"
#include "report/dispatch.h"
#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

using model::JobSnapshot;

/// More ranks than anybody wants to choose from.
constexpr std::size_t kMostRanks = 1000;

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands())
        names.emplace_back(command.name);
    return names;
}

/// Names that can be typed: of others only the number does.
std::vector<std::string> communicator_names(const JobSnapshot& snapshot) {
    const model::Worlds worlds(snapshot);
    std::vector<std::string> names;
    for (const model::Communicator& communicator : snapshot.communicators) {
        const std::string name = model::communicator_name(worlds, communicator);
        const bool plain =
            report::printable(name) == name &&
            (name.find('"') == std::string::npos || name.find('\'') == std::string::npos);
        names.push_back(plain ? quoted_word(name) : fmt::format("#{}", communicator.id.value));
    }
    return names;
}

std::vector<std::string> rank_numbers(const JobSnapshot& snapshot) {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < std::min(snapshot.ranks.size(), kMostRanks); ++i)
        numbers.push_back(std::to_string(i));
    return numbers;
}

std::vector<std::string> texts(std::span<const std::string_view> words) {
    return {words.begin(), words.end()};
}

std::vector<std::string> filter_words(std::string_view before, const JobSnapshot& snapshot) {
    if (before == "comm") return communicator_names(snapshot);
    if (before == "rank") return rank_numbers(snapshot);
    if (before == "tag") return {"any"};
    if (!filter_values(before).empty()) return texts(filter_values(before));
    if (std::ranges::find(filter_keys(), before) != filter_keys().end()) return {};
    std::vector<std::string> words = texts(filter_keys());
    for (const std::string_view flag : filter_flags())
        words.emplace_back(flag);
    return words;
}

/// The words before the last one; empty if they cannot be taken apart.
std::vector<std::string> finished_words(std::string_view line) {
    return split_words(line.substr(0, start_of_last_word(line)))
        .value_or(std::vector<std::string>{});
}

const Command* command_of(const std::vector<std::string>& words) {
    if (words.empty()) return nullptr;
    const auto command = find_command(words.front());
    return command ? *command : nullptr;
}

std::vector<std::string> candidates(const std::vector<std::string>& before,
                                    const JobSnapshot& snapshot) {
    if (before.empty()) return command_names();
    const Command* command = command_of(before);
    if (command == nullptr) return {};
    switch (command->completes) {
        case Completes::Commands:
            return command_names();
        case Completes::Communicators:
            return communicator_names(snapshot);
        case Completes::Formats:
            return texts(report::format_names());
        case Completes::QueueFilter:
            return filter_words(before.size() > 1 ? before.back() : "", snapshot);
        case Completes::Ranks:
            return rank_numbers(snapshot);
        case Completes::Files:
        case Completes::Nothing:
            break;
    }
    return {};
}

}  // namespace

std::size_t start_of_last_word(std::string_view line) {
    std::size_t start = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        if (quote != '\0') {
            if (letter == quote) quote = '\0';
        } else if (letter == '"' || letter == '\'') {
            quote = letter;
        } else if (letter == ' ' || letter == '\t') {
            start = i + 1;
        }
    }
    return start;
}

std::vector<std::string> completions(std::string_view line, const JobSnapshot& snapshot) {
    const std::string_view last = line.substr(start_of_last_word(line));
    std::vector<std::string> fitting = candidates(finished_words(line), snapshot);
    // A name with blanks may be begun without its quote.
    std::erase_if(fitting, [&](const std::string& word) {
        return !word.starts_with(last) && !(word.front() == '"' && !last.empty() &&
                                            std::string_view(word).substr(1).starts_with(last));
    });
    std::ranges::sort(fitting);
    fitting.erase(std::unique(fitting.begin(), fitting.end()), fitting.end());
    return fitting;
}

bool expects_file(std::string_view line) {
    const Command* command = command_of(finished_words(line));
    return command != nullptr && command->completes == Completes::Files;
}

}  // namespace mqinspect::shell

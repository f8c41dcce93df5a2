#include "model/rank_set.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace mqinspect::model {

namespace {

/// A number takes all of its text.
std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) return static_cast<std::size_t>(-1);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Error no_ranks(std::string_view text) {
    return Error{ErrorCode::InvalidArgument,
                 "\"" + std::string(text) + "\" names no ranks; write such as 0-3,7"};
}

Error no_such_rank(std::string_view text, std::size_t size) {
    const std::string there =
        size == 0 ? "the job has none" : "ranks are 0 to " + std::to_string(size - 1);
    return Error{ErrorCode::InvalidArgument, "no rank " + std::string(text) + "; " + there};
}

}  // namespace

Result<std::vector<WorldRank>> parse_ranks(std::string_view text, std::size_t size) {
    std::vector<bool> named(size);
    for (std::string_view rest = text;;) {
        const std::string_view part = rest.substr(0, rest.find(','));
        const std::size_t dash = part.find('-');
        const auto first = number(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
        if (!first || !last || *first > *last) return no_ranks(text);
        if (*last >= size) return no_such_rank(part, size);
        std::fill(named.begin() + static_cast<std::ptrdiff_t>(*first),
                  named.begin() + static_cast<std::ptrdiff_t>(*last) + 1,
                  true);
        if (part.size() == rest.size()) break;
        rest.remove_prefix(part.size() + 1);
    }
    std::vector<WorldRank> ranks;
    for (std::size_t i = 0; i < size; ++i) {
        if (named[i]) ranks.emplace_back(static_cast<int>(i));
    }
    return ranks;
}

std::string print_ranks(std::span<const WorldRank> ranks) {
    std::string text;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1].value == ranks[last].value + 1)
            ++last;
        if (!text.empty()) text += ',';
        text += std::to_string(ranks[first].value);
        if (last > first) text += "-" + std::to_string(ranks[last].value);
        first = last + 1;
    }
    return text;
}

Result<WorldRank> parse_rank(std::string_view text, std::size_t size) {
    const auto rank = number(text);
    if (!rank) {
        return Error{ErrorCode::InvalidArgument, "\"" + std::string(text) + "\" is no rank"};
    }
    if (*rank >= size) return no_such_rank(text, size);
    return WorldRank(static_cast<int>(*rank));
}

}  // namespace mqinspect::model

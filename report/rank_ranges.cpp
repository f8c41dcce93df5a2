#include "report/rank_ranges.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace mqinspect::report {
namespace {

/// More ranges than this are no help in a sentence or a table cell.
constexpr std::size_t kRangesInSentence = 8;

std::vector<int> sorted(std::span<const model::WorldRank> ranks) {
    std::vector<int> values;
    values.reserve(ranks.size());
    for (const model::WorldRank rank : ranks)
        values.push_back(rank.value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::string range_text(int first, int last) {
    if (first == model::kUnknownRank.value) return "?";
    if (first == last) return std::to_string(first);
    return fmt::format("{}{}{}", first, last == first + 1 ? "," : "-", last);
}

}  // namespace

std::string rank_ranges(std::span<const model::WorldRank> ranks, std::size_t limit) {
    const std::vector<int> values = sorted(ranks);
    if (values.empty()) return "none";
    std::string out;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        // The unknown rank is no neighbour of rank 0.
        while (end < values.size() && values[i] >= 0 && values[end] == values[end - 1] + 1)
            ++end;
        if (ranges++ == limit) return fmt::format("{},... ({} ranks)", out, values.size());
        if (!out.empty()) out += ',';
        out += range_text(values[i], values[end - 1]);
        i = end;
    }
    return out;
}

std::string named_ranks(std::span<const model::WorldRank> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + rank_ranges(ranks, kRangesInSentence);
}

}  // namespace mqinspect::report

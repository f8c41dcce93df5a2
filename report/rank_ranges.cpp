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

std::vector<model::WorldRank> numbers(const model::RanksOfWorld& world) {
    std::vector<model::WorldRank> ranks;
    ranks.reserve(world.ranks.size());
    for (const int rank : world.ranks)
        ranks.emplace_back(rank);
    return ranks;
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

std::string rank_ranges(const model::Worlds& worlds,
                        std::span<const model::WorldRank> ranks,
                        std::size_t limit) {
    if (!worlds.several()) return rank_ranges(ranks, limit);
    const bool unknown = std::ranges::find(ranks, model::kUnknownRank) != ranks.end();
    std::string out = unknown ? "?" : "";
    for (const model::RanksOfWorld& world : model::by_world(worlds, ranks)) {
        if (!out.empty()) out += " and ";
        out += fmt::format("{} of world {}", rank_ranges(numbers(world), limit), world.world);
    }
    return out.empty() ? "none" : out;
}

std::string named_ranks(const model::Worlds& worlds, std::span<const model::WorldRank> ranks) {
    std::vector<model::WorldRank> known(ranks.begin(), ranks.end());
    const auto foreign = std::erase(known, model::kUnknownRank);
    std::string out;
    for (const model::RanksOfWorld& world : model::by_world(worlds, known)) {
        if (!out.empty()) out += " and ";
        out += world.ranks.size() == 1 ? "rank " : "ranks ";
        out += rank_ranges(numbers(world), kRangesInSentence);
        if (worlds.several()) out += fmt::format(" of world {}", world.world);
    }
    if (foreign == 0) return out.empty() ? "ranks none" : out;
    if (!out.empty()) out += " and ";
    return out + (foreign == 1 ? std::string("a process of another job")
                               : fmt::format("{} processes of another job", foreign));
}

}  // namespace mqinspect::report

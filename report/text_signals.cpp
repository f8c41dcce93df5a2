#include "report/text_signals.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/call_text.h"
#include "report/rank_ranges.h"

namespace mqinspect::report {
namespace {

constexpr std::size_t kLinesShown = 10;

/// "in relax called from main (heat.c:60)": the function of the place and its caller.
std::string function_text(const model::RankSnapshot& rank,
                          const model::SourceLocation& place,
                          bool verbose) {
    const auto user = std::ranges::find_if(
        rank.stack, [&](const model::Frame& frame) { return frame.location == place; });
    if (user == rank.stack.end() || user->function.empty()) return {};
    std::string text = ", in " + user->function;
    const auto caller = user + 1;
    if (caller == rank.stack.end() || caller->location.file.empty()) return text;
    return fmt::format("{} called from {} ({})",
                       text,
                       caller->function.empty() ? "?" : caller->function,
                       location_text(caller->location, verbose));
}

/// Everything behind the rank's name.
std::string signal_text(const model::RankSnapshot& rank, bool verbose) {
    std::string text = "received " + rank.signal->name;
    if (rank.signal->address) text += fmt::format(" (address {:#x})", *rank.signal->address);
    if (rank.signal->sender_pid.value_or(0) > 0)
        text += fmt::format(" from process {}", *rank.signal->sender_pid);
    if (rank.call) text += " in " + call_text(*rank.call, verbose);
    if (const model::SourceLocation* place = user_location(rank)) {
        return text + " at " + location_text(*place, verbose) +
               function_text(rank, *place, verbose);
    }
    if (rank.stack.empty() || rank.call) return text;
    const model::Frame& innermost = rank.stack.front();
    if (innermost.function.empty()) return text + fmt::format(" at {:#x}", innermost.pc);
    return text + " in " + innermost.function;
}

}  // namespace

void print_signals(Page& page, const model::JobSnapshot& snapshot, bool verbose) {
    std::vector<std::pair<std::string, std::vector<model::WorldRank>>> lines;
    std::map<std::string, std::size_t> line_of;
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        if (!rank.signal) continue;
        const std::string text = signal_text(rank, verbose);
        const auto [place, is_new] = line_of.emplace(text, lines.size());
        if (is_new) lines.push_back({text, {}});
        lines[place->second].second.push_back(rank.rank);
    }
    if (lines.empty()) return;
    page.blank();
    page.paragraph(Style::Title, "Signals");
    const model::Worlds worlds(snapshot);
    const std::size_t shown = verbose ? lines.size() : std::min(lines.size(), kLinesShown);
    for (std::size_t i = 0; i < shown; ++i) {
        page.paragraph(
            Style::Plain, named_ranks(worlds, lines[i].second) + " " + lines[i].first, 2);
    }
    if (shown < lines.size()) {
        page.paragraph(Style::Dim, fmt::format("... {} more lines", lines.size() - shown), 2);
    }
}

}  // namespace mqinspect::report

#include "report/text_windows.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/rank_ranges.h"

namespace mqinspect::report {
namespace {

using model::AccessEpoch;
using model::LockType;
using model::Window;
using model::WindowTarget;

constexpr std::size_t kRowsShown = 10;
constexpr std::size_t kRangesShown = 6;
constexpr std::size_t kTargetsShown = 4;

std::string rank_text(const model::Worlds& worlds, model::WorldRank rank) {
    return rank_ranges(worlds, {&rank, 1});
}

std::string_view lock_text(LockType type) {
    switch (type) {
        case LockType::Shared:
            return "shared";
        case LockType::Exclusive:
            return "exclusive";
        case LockType::None:
            break;
    }
    return "none";
}

std::string access_text(const model::Worlds& worlds, const Window& window) {
    switch (window.access) {
        case AccessEpoch::None:
            return "-";
        case AccessEpoch::Fence:
            return "fence";
        case AccessEpoch::Start:
            return fmt::format("MPI_Win_start to {}{}",
                               rank_ranges(worlds, window.started, kRangesShown),
                               window.access_granted ? "" : ", not posted by all");
        case AccessEpoch::Lock:
            return "MPI_Win_lock";
        case AccessEpoch::LockAll:
            return window.locks_missing.value_or(0) > 0
                       ? fmt::format("MPI_Win_lock_all, {} not granted", *window.locks_missing)
                       : std::string("MPI_Win_lock_all");
        case AccessEpoch::Unknown:
            break;
    }
    return "?";
}

std::string exposure_text(const model::Worlds& worlds, const Window& window) {
    if (window.exposure == model::ExposureEpoch::Unknown) return "?";
    if (window.exposure == model::ExposureEpoch::None) return "-";
    std::string text = "MPI_Win_post";
    if (!window.posted.empty()) text += " to " + rank_ranges(worlds, window.posted, kRangesShown);
    if (!window.completions_missing) return text;
    return fmt::format("{}, {} not complete", text, *window.completions_missing);
}

/// The lock on the rank's own part.
std::string own_lock_text(const model::Worlds& worlds, const Window& window) {
    std::string text = window.lock == LockType::None ? "-" : std::string(lock_text(window.lock));
    if (window.holders > 1) text += fmt::format(", {} holders", window.holders);
    for (const model::LockWaiter& waiter : window.waiters) {
        text +=
            fmt::format("; {} waits ({})", rank_text(worlds, waiter.rank), lock_text(waiter.type));
    }
    return text;
}

std::string target_text(const model::Worlds& worlds, const WindowTarget& target) {
    std::string text = rank_text(worlds, target.rank) + ":";
    switch (target.lock) {
        case WindowTarget::Lock::None:
            break;
        case WindowTarget::Lock::Called:
            text += fmt::format(" {} lock not asked for yet", lock_text(target.type));
            break;
        case WindowTarget::Lock::Requested:
            text += fmt::format(" {} lock requested", lock_text(target.type));
            break;
        case WindowTarget::Lock::Granted:
            text += fmt::format(" {} lock", lock_text(target.type));
            break;
    }
    if (const std::uint64_t operations = target.operations.value_or(0); operations > 0) {
        const bool first = target.lock == WindowTarget::Lock::None;
        text += fmt::format(
            "{}{} operation{}", first ? " " : ", ", operations, operations == 1 ? "" : "s");
    }
    return text;
}

std::string targets_text(const model::Worlds& worlds, const Window& window, bool verbose) {
    std::vector<std::string> texts;
    for (const WindowTarget& target : window.targets) {
        if (!verbose && texts.size() == kTargetsShown) {
            texts.push_back(fmt::format("... {} more", window.targets.size() - kTargetsShown));
            break;
        }
        texts.push_back(target_text(worlds, target));
    }
    return texts.empty() ? "-" : fmt::format("{}", fmt::join(texts, "; "));
}

struct Row {
    std::vector<std::string> cells;
    std::vector<model::WorldRank> ranks;
};

std::vector<Row> rows_of(const model::Worlds& worlds,
                         const std::vector<const Window*>& parts,
                         bool verbose) {
    std::vector<Row> rows;
    std::map<std::vector<std::string>, std::size_t> known;
    for (const Window* part : parts) {
        std::vector<std::string> cells = {access_text(worlds, *part),
                                          exposure_text(worlds, *part),
                                          own_lock_text(worlds, *part),
                                          targets_text(worlds, *part, verbose)};
        const auto [place, is_new] = known.emplace(cells, rows.size());
        if (is_new || verbose) {
            place->second = rows.size();
            rows.push_back({std::move(cells), {}});
        }
        rows[place->second].ranks.push_back(part->rank);
    }
    return rows;
}

void print_window(Page& page,
                  const model::Worlds& worlds,
                  const std::vector<const Window*>& parts,
                  bool verbose) {
    page.paragraph(Style::Plain, parts.front()->name, 2);
    Table table({"RANK", "ACCESS", "EXPOSURE", "LOCKED", "TARGETS"});
    const std::vector<Row> rows = rows_of(worlds, parts, verbose);
    const std::size_t shown = verbose ? rows.size() : std::min(rows.size(), kRowsShown);
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i >= shown) {
            hidden += rows[i].ranks.size();
            continue;
        }
        std::vector<std::string> cells = {
            rank_ranges(worlds, rows[i].ranks, verbose ? rows[i].ranks.size() : kRangesShown)};
        cells.insert(cells.end(), rows[i].cells.begin(), rows[i].cells.end());
        table.row(std::move(cells));
    }
    table.print(page, 4);
    if (hidden > 0) page.paragraph(Style::Dim, fmt::format("... {} more ranks", hidden), 4);
}

}  // namespace

void print_windows(Page& page, const model::JobSnapshot& snapshot, bool verbose) {
    if (snapshot.windows.empty()) return;
    const model::Worlds worlds(snapshot);
    std::map<int, std::vector<const Window*>> windows;
    for (const Window& window : snapshot.windows)
        windows[window.communicator.value].push_back(&window);
    page.blank();
    page.paragraph(Style::Title, "Windows");
    for (const auto& [communicator, parts] : windows)
        print_window(page, worlds, parts, verbose);
}

}  // namespace mqinspect::report

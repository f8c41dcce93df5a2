#include "inspector/shell/views.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/call_text.h"
#include "report/rank_ranges.h"

namespace mqinspect::shell {

namespace {

using model::JobSnapshot;
using model::RankSnapshot;
using model::RankState;
using model::WorldRank;
using report::Page;
using report::Style;
using report::Table;

constexpr std::size_t kRangesShown = 8;

std::string_view state_text(RankState state) {
    switch (state) {
        case RankState::Blocked:
            return "blocked";
        case RankState::Running:
            return "running";
        case RankState::Exited:
            return "ended";
        case RankState::Unreadable:
            break;
    }
    return "unreadable";
}

std::string place_text(const RankSnapshot& rank) {
    const model::SourceLocation* place = report::user_location(rank);
    return place != nullptr ? report::location_text(*place, false) : "-";
}

/// What it does: the call that blocks it, or the function that it runs in.
std::string doing_text(const RankSnapshot& rank) {
    switch (rank.state) {
        case RankState::Blocked:
            return rank.call ? report::call_text(*rank.call, false) : "?";
        case RankState::Running:
            return report::activity_text(rank, false);
        case RankState::Exited:
        case RankState::Unreadable:
            break;
    }
    return "";
}

std::string targets_text(const model::Worlds& worlds, const analysis::Wait& wait) {
    if (wait.targets.empty()) return "-";
    const std::string ranks = report::rank_ranges(worlds, wait.targets, kRangesShown);
    return wait.all || wait.targets.size() == 1 ? ranks : "any of " + ranks;
}

std::string group_text(const JobSnapshot& snapshot,
                       const model::Worlds& worlds,
                       const std::vector<WorldRank>& group) {
    if (group.size() == snapshot.ranks.size() && !worlds.several()) return "all";
    return report::rank_ranges(worlds, group, kRangesShown);
}

/// Ranks whose row and lines beneath read the same.
struct WaitRow {
    std::vector<std::string> cells;
    std::vector<std::string> whys;
    std::vector<std::string> hints;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 mistakes the comparison with 0
    auto operator<=>(const WaitRow&) const = default;
};

std::vector<const analysis::Wait*> waits_of(const analysis::Verdict& verdict, WorldRank rank) {
    std::vector<const analysis::Wait*> waits;
    const auto first = std::ranges::lower_bound(verdict.waits, rank, {}, &analysis::Wait::rank);
    for (auto wait = first; wait != verdict.waits.end() && wait->rank == rank; ++wait)
        waits.push_back(&*wait);
    return waits;
}

WaitRow row_of(const model::Worlds& worlds,
               const RankSnapshot& rank,
               const std::vector<const analysis::Wait*>& waits) {
    WaitRow row;
    std::string targets;
    for (const analysis::Wait* wait : waits) {
        targets += (targets.empty() ? "" : " and ") + targets_text(worlds, *wait);
        row.whys.push_back(wait->why);
        row.hints.insert(row.hints.end(), wait->hints.begin(), wait->hints.end());
    }
    row.cells = {targets, place_text(rank), doing_text(rank)};
    return row;
}

/// Walks the waits from one rank on, breadth first.
class Explanation {
public:
    Explanation(Page& page, const session::Findings& findings)
        : page_(page),
          snapshot_(findings.snapshot),
          verdict_(findings.verdict),
          worlds_(findings.snapshot) {}

    void print(WorldRank first) {
        std::vector<bool> queued(snapshot_.ranks.size());
        std::vector<WorldRank> queue = {first};
        queued[first.index()] = true;
        for (std::size_t next = 0; next < queue.size() && next < kRanksExplained; ++next) {
            print_rank(queue[next]);
            for (const analysis::Wait* wait : waits_of(verdict_, queue[next])) {
                for (const WorldRank target : wait->targets) {
                    const bool known = target.value >= 0 && target.index() < queued.size();
                    if (!known || queued[target.index()]) continue;
                    queued[target.index()] = true;
                    queue.push_back(target);
                }
            }
        }
        if (queue.size() > kRanksExplained) {
            page_.paragraph(Style::Dim,
                            fmt::format("... and {} more ranks", queue.size() - kRanksExplained),
                            2);
        }
        page_.blank();
        page_.paragraph(Style::Title, conclusion(first));
    }

private:
    static constexpr std::size_t kRanksExplained = 12;

    void print_rank(WorldRank number) {
        const RankSnapshot& rank = snapshot_.ranks[number.index()];
        std::string line =
            fmt::format("{} is {}", model::rank_name(worlds_, number), state_text(rank.state));
        const std::string doing = doing_text(rank);
        if (!doing.empty()) {
            line += fmt::format(" in {} at {}", doing, place_text(rank));
        }
        page_.paragraph(Style::Plain, line);
        if (!rank.problem.empty()) page_.paragraph(Style::Warning, rank.problem, 4);
        for (const analysis::Wait* wait : waits_of(verdict_, number)) {
            page_.paragraph(
                Style::Dim,
                wait->targets.empty()
                    ? wait->why
                    : fmt::format("waits for {}{}: {}",
                                  wait->all || wait->targets.size() == 1 ? "" : "any of ",
                                  report::named_ranks(worlds_, wait->targets),
                                  wait->why),
                4);
            for (const std::string& hint : wait->hints)
                page_.paragraph(Style::Warning, "note: " + hint, 4);
        }
    }

    std::string conclusion(WorldRank number) const {
        const std::string name = model::rank_name(worlds_, number);
        for (const analysis::Core& core : verdict_.cores) {
            if (!std::ranges::binary_search(core.ranks, number)) continue;
            return name + core_text(core);
        }
        for (const analysis::Victim& victim : verdict_.victims) {
            if (victim.rank != number || victim.chain.empty()) continue;
            return fmt::format("{} is a victim: it goes on only after {}.",
                               name,
                               model::rank_name(worlds_, victim.chain.back()));
        }
        if (std::ranges::binary_search(verdict_.unknown, number)) {
            return fmt::format("Whether {} can go on is not known.", name);
        }
        const model::RankSnapshot& rank = snapshot_.ranks[number.index()];
        if (rank.signal) return fmt::format("{} has received {}.", name, rank.signal->name);
        switch (rank.state) {
            case RankState::Blocked:
                return verdict_.kind == analysis::VerdictKind::Unknown
                           ? fmt::format("Whether {} can be released is not known.", name)
                           : fmt::format("{} can still be released.", name);
            case RankState::Running:
                return name + " is not blocked.";
            case RankState::Exited:
                return name + " has ended.";
            case RankState::Unreadable:
                break;
        }
        return name + " could not be read.";
    }

    std::string core_text(const analysis::Core& core) const {
        const std::string ranks = report::named_ranks(worlds_, core.ranks);
        switch (core.kind) {
            case analysis::VerdictKind::Deadlock:
                return fmt::format(" is one of those that wait for each other: {}.", ranks);
            case analysis::VerdictKind::HangUp:
                return " waits for ranks that have ended or will not communicate again.";
            case analysis::VerdictKind::None:
            case analysis::VerdictKind::Suspected:
            case analysis::VerdictKind::Crash:
            case analysis::VerdictKind::Unknown:
                break;
        }
        return fmt::format(
            " seems stuck with {}, but that has been seen only once, or something moved.", ranks);
    }

    Page& page_;
    const JobSnapshot& snapshot_;
    const analysis::Verdict& verdict_;
    model::Worlds worlds_;
};

bool is_alone(const model::Communicator& communicator) {
    return communicator.members.size() == 1 && !communicator.inter;
}

/// A row for all of a name: each rank has its MPI_COMM_SELF.
void add_communicators_of_one(Table& table,
                              const JobSnapshot& snapshot,
                              const model::Worlds& worlds,
                              const std::vector<std::size_t>& pending) {
    struct Joined {
        std::vector<WorldRank> numbers;
        std::vector<WorldRank> ranks;
        std::size_t operations = 0;
    };
    std::map<std::string, Joined> by_name;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        const model::Communicator& communicator = snapshot.communicators[i];
        if (!is_alone(communicator)) continue;
        Joined& joined = by_name[model::communicator_name(worlds, communicator)];
        joined.numbers.emplace_back(static_cast<int>(i));
        joined.ranks.push_back(communicator.members.front());
        joined.operations += pending[i];
    }
    for (const auto& [name, joined] : by_name) {
        const std::string ranks = report::rank_ranges(worlds, joined.ranks, kRangesShown);
        table.row({"#" + report::rank_ranges(joined.numbers, kRangesShown),
                   name,
                   "1",
                   std::to_string(joined.operations),
                   joined.ranks.size() == 1 ? ranks : "each of " + ranks});
    }
}

}  // namespace

void print_ranks(Page& page,
                 const JobSnapshot& snapshot,
                 std::span<const WorldRank> ranks,
                 std::optional<RankState> state) {
    const model::Worlds worlds(snapshot);
    Table table({"RANK", "PID", "HOST", "STATE", "AT", "IN"});
    bool any = false;
    for (const WorldRank number : ranks) {
        const RankSnapshot& rank = snapshot.ranks[number.index()];
        if (state && rank.state != *state) continue;
        any = true;
        table.row({report::rank_ranges(worlds, {&number, 1}),
                   rank.pid != 0 ? std::to_string(rank.pid) : "?",
                   snapshot.hosts.size() > 1 ? rank.host : "",
                   std::string(state_text(rank.state)),
                   place_text(rank),
                   doing_text(rank)});
        for (const model::Call& call : rank.more_calls) {
            table.beneath(Style::Plain, "another thread: " + report::call_text(call, false));
        }
        if (!rank.problem.empty()) table.beneath(Style::Warning, rank.problem);
    }
    any ? table.print(page, 2) : page.paragraph(Style::Dim, "none", 2);
}

void print_communicators(Page& page, const JobSnapshot& snapshot) {
    if (snapshot.communicators.empty()) {
        page.paragraph(Style::Dim, "No communicator is known.", 2);
        return;
    }
    const model::Worlds worlds(snapshot);
    std::vector<std::size_t> pending(snapshot.communicators.size());
    for (const model::Operation& operation : snapshot.operations) {
        if (operation.communicator.index() < pending.size()) {
            ++pending[operation.communicator.index()];
        }
    }
    Table table({"ID", "NAME", "SIZE", "PENDING", "RANKS"});
    for (std::size_t i = 0; i < pending.size(); ++i) {
        const model::Communicator& communicator = snapshot.communicators[i];
        if (is_alone(communicator)) continue;
        std::string size = std::to_string(communicator.members.size());
        std::string ranks = group_text(snapshot, worlds, communicator.members);
        if (communicator.inter) {
            size += fmt::format(" + {}", communicator.remote_members.size());
            ranks += " with " + group_text(snapshot, worlds, communicator.remote_members);
        }
        if (communicator.internal) ranks += " (of the MPI library)";
        table.row({fmt::format("#{}", i),
                   model::communicator_name(worlds, communicator),
                   size,
                   std::to_string(pending[i]),
                   ranks});
    }
    add_communicators_of_one(table, snapshot, worlds, pending);
    table.print(page, 2);
}

void print_members(Page& page,
                   const JobSnapshot& snapshot,
                   const model::Communicator& communicator) {
    const model::Worlds worlds(snapshot);
    page.paragraph(
        Style::Title,
        fmt::format(
            "#{} {}", communicator.id.value, model::communicator_name(worlds, communicator)));
    const auto print_group = [&](const std::vector<WorldRank>& group, std::string_view title) {
        Table table({std::string(title), "RANK", "HANDLE", "AT", "IN"});
        for (std::size_t place = 0; place < group.size(); ++place) {
            const WorldRank number = group[place];
            if (number.value < 0 || number.index() >= snapshot.ranks.size()) {
                table.row({std::to_string(place), "?", "", "", ""});
                continue;
            }
            const RankSnapshot& rank = snapshot.ranks[number.index()];
            std::string handle;
            for (const model::Membership& membership : rank.memberships) {
                if (membership.communicator == communicator.id && membership.handle != 0) {
                    handle = fmt::format("{:#x}", membership.handle);
                }
            }
            table.row({std::to_string(place),
                       report::rank_ranges(worlds, {&number, 1}),
                       handle,
                       place_text(rank),
                       doing_text(rank)});
        }
        table.print(page, 2);
    };
    print_group(communicator.members, "COMM RANK");
    if (communicator.inter) print_group(communicator.remote_members, "IN THE OTHER GROUP");
}

void print_waits(Page& page, const session::Findings& findings, std::span<const WorldRank> ranks) {
    const model::Worlds worlds(findings.snapshot);
    std::map<WaitRow, std::vector<WorldRank>> ranks_of;
    std::vector<const WaitRow*> order;
    for (const WorldRank number : ranks) {
        const auto waits = waits_of(findings.verdict, number);
        if (waits.empty()) continue;
        WaitRow row = row_of(worlds, findings.snapshot.ranks[number.index()], waits);
        const auto [place, is_new] = ranks_of.try_emplace(std::move(row));
        place->second.push_back(number);
        if (is_new) order.push_back(&place->first);
    }
    if (order.empty()) {
        page.paragraph(Style::Dim, "No rank waits for another.", 2);
        return;
    }
    Table table({"RANK", "WAITS FOR", "AT", "CALL"});
    for (const WaitRow* row : order) {
        std::vector<std::string> cells = {
            report::rank_ranges(worlds, ranks_of.at(*row), kRangesShown)};
        cells.insert(cells.end(), row->cells.begin(), row->cells.end());
        table.row(std::move(cells));
        for (const std::string& why : row->whys)
            table.beneath(Style::Dim, why);
        for (const std::string& hint : row->hints)
            table.beneath(Style::Warning, "note: " + hint);
    }
    table.print(page, 2);
}

void print_why(Page& page, const session::Findings& findings, WorldRank rank) {
    Explanation(page, findings).print(rank);
}

}  // namespace mqinspect::shell

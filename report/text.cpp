#include "report/text.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/call_text.h"
#include "report/distinct_lists.h"
#include "report/page.h"
#include "report/rank_ranges.h"
#include "report/stack_tree.h"
#include "report/text_queues.h"
#include "report/text_signals.h"
#include "report/text_windows.h"

namespace mqinspect::report {
namespace {

using analysis::Core;
using analysis::Verdict;
using analysis::VerdictKind;
using analysis::Victim;
using analysis::Wait;
using model::JobSnapshot;
using model::RankSnapshot;
using model::RankState;
using model::WorldRank;

constexpr std::size_t kRowsShown = 10;
constexpr std::size_t kRangesShown = 6;
constexpr std::size_t kChainShown = 4;

/// Rows of one table, in the order of their first rank; equal ones are joined.
class Rows {
public:
    struct Row {
        std::vector<WorldRank> ranks;
        std::vector<std::string> cells;  ///< behind the ranks
        std::vector<std::string> whys;
        std::vector<std::string> hints;
    };

    /// Borrows the worlds.
    Rows(const model::Worlds& worlds, bool verbose) : worlds_(worlds), verbose_(verbose) {}

    void add(WorldRank rank, Row row) {
        std::vector<std::string> key = row.cells;
        key.insert(key.end(), row.whys.begin(), row.whys.end());
        key.insert(key.end(), row.hints.begin(), row.hints.end());
        const auto [place, is_new] = index_.emplace(std::move(key), rows_.size());
        if (is_new) rows_.push_back(std::move(row));
        rows_[place->second].ranks.push_back(rank);
    }

    bool empty() const { return rows_.empty(); }

    /// `header` names the cells behind the ranks.
    void print(Page& page, std::vector<std::string> header) const {
        header.insert(header.begin(), "RANK");
        Table table(std::move(header));
        const std::size_t shown = verbose_ ? rows_.size() : std::min(rows_.size(), kRowsShown);
        for (std::size_t i = 0; i < shown; ++i)
            add_row(table, rows_[i]);
        table.print(page, 2);
        std::size_t hidden = 0;
        for (std::size_t i = shown; i < rows_.size(); ++i)
            hidden += rows_[i].ranks.size();
        if (hidden > 0) page.paragraph(Style::Dim, fmt::format("... {} more ranks", hidden), 2);
    }

private:
    void add_row(Table& table, const Row& row) const {
        std::vector<std::string> cells = {
            rank_ranges(worlds_, row.ranks, verbose_ ? row.ranks.size() : kRangesShown)};
        cells.insert(cells.end(), row.cells.begin(), row.cells.end());
        table.row(std::move(cells));
        for (const std::string& why : row.whys) {
            if (!why.empty()) table.beneath(Style::Dim, why);
        }
        for (const std::string& hint : row.hints) {
            table.beneath(Style::Warning, "note: " + hint);
        }
    }

    const model::Worlds& worlds_;
    bool verbose_;
    std::vector<Row> rows_;
    std::map<std::vector<std::string>, std::size_t> index_;
};

Style style_of(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::Deadlock:
        case VerdictKind::HangUp:
        case VerdictKind::Crash:
            return Style::Bad;
        case VerdictKind::Suspected:
        case VerdictKind::Unknown:
            return Style::Warning;
        case VerdictKind::None:
            return Style::Good;
    }
    return Style::Plain;
}

class TextReport {
public:
    TextReport(const JobSnapshot& snapshot, const Verdict& verdict, const TextOptions& options)
        : snapshot_(snapshot),
          worlds_(snapshot),
          verdict_(verdict),
          options_(options),
          page_(options.color, options.width),
          reported_(snapshot.ranks.size(), false) {}

    std::string print() && {
        page_.paragraph(style_of(verdict_.kind), verdict_.sentence);
        for (const WorldRank rank : verdict_.crashed)
            mark(rank);
        print_signals(page_, snapshot_, options_.verbose);
        print_cores();
        print_victims();
        print_other_waits();
        print_without_waits();
        print_running();
        print_ranks("Ended",
                    [](const RankSnapshot& rank) { return rank.state == RankState::Exited; });
        print_ranks("Stopped by a signal such as SIGSTOP, until SIGCONT",
                    [](const RankSnapshot& rank) { return rank.suspended; });
        print_problems();
        if (options_.show_queues) {
            print_queues(page_, snapshot_, {.verbose = options_.verbose});
            print_windows(page_, snapshot_, options_.verbose);
        }
        if (options_.show_stacks) print_stacks();
        print_footer();
        return std::move(page_).finish();
    }

private:
    void title(std::string_view text) {
        page_.blank();
        page_.paragraph(Style::Title, text);
    }

    const RankSnapshot* find_rank(WorldRank rank) const {
        const bool known = rank.value >= 0 && rank.index() < snapshot_.ranks.size();
        return known ? &snapshot_.ranks[rank.index()] : nullptr;
    }

    /// Where a rank is in the user's code.
    std::string place(const RankSnapshot* rank) const {
        const model::SourceLocation* location = rank != nullptr ? user_location(*rank) : nullptr;
        return location != nullptr ? location_text(*location, options_.verbose) : "-";
    }

    std::string targets(const Wait& wait) {
        const std::size_t number = lists_.number(wait.targets);
        if (number == list_texts_.size()) {
            const std::size_t limit = options_.verbose ? wait.targets.size() : kRangesShown;
            list_texts_.push_back(wait.targets.empty() ? "-"
                                                       : rank_ranges(worlds_, wait.targets, limit));
        }
        const std::string& ranks = list_texts_[number];
        return wait.all || wait.targets.size() <= 1 ? ranks : "any of " + ranks;
    }

    /// Without the place that the table has in a column of its own.
    std::string why(const Wait& wait, const std::string& at) const {
        const std::string suffix = " (" + at + ")";
        std::string_view text = wait.why;
        if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
        return std::string(text);
    }

    /// A row for each rank; its waits, of which it may have several, stand together.
    void add_waits(Rows& rows, std::span<const Wait> waits) {
        while (!waits.empty()) {
            const WorldRank number = waits.front().rank;
            const RankSnapshot* rank = find_rank(number);
            const std::string at = place(rank);
            Rows::Row row;
            if (rank != nullptr) row.whys = calls_of_threads(*rank);
            std::string waits_for;
            std::size_t count = 0;
            for (; count < waits.size() && waits[count].rank == number; ++count) {
                const Wait& wait = waits[count];
                waits_for += (count == 0 ? "" : " and ") + targets(wait);
                row.whys.push_back(why(wait, at));
                row.hints.insert(row.hints.end(), wait.hints.begin(), wait.hints.end());
            }
            row.cells = {std::move(waits_for), at, call_of(rank, waits.front().call)};
            rows.add(number, std::move(row));
            mark(number);
            waits = waits.subspan(count);
        }
    }

    std::vector<std::string> calls_of_threads(const RankSnapshot& rank) const {
        std::vector<std::string> texts;
        for (const model::Call& call : rank.more_calls) {
            texts.push_back(fmt::format("another thread: {} at {}",
                                        call_text(call, options_.verbose),
                                        location_text(call.location, options_.verbose)));
        }
        return texts;
    }

    std::string call_of(const RankSnapshot* rank, const std::string& otherwise) const {
        return rank != nullptr && rank->call ? call_text(*rank->call, options_.verbose) : otherwise;
    }

    void mark(WorldRank rank) {
        if (find_rank(rank) != nullptr) reported_[rank.index()] = true;
    }

    /// With one core the sentence has said it all.
    std::string core_title(std::size_t number) const {
        const Core& core = verdict_.cores[number];
        if (verdict_.cores.size() == 1) return "Who waits for whom";
        return fmt::format("{} {} of {}: {}",
                           core.kind == VerdictKind::HangUp ? "Hang-up" : "Deadlock",
                           number + 1,
                           verdict_.cores.size(),
                           named_ranks(worlds_, core.ranks));
    }

    /// Ranks that wait for one that has ended are a core each, and one table.
    void print_cores() {
        std::vector<Wait> together;
        const bool hang_ups = std::ranges::all_of(
            verdict_.cores, [](const Core& core) { return core.kind == VerdictKind::HangUp; });
        for (std::size_t i = 0; i < verdict_.cores.size(); ++i) {
            const Core& core = verdict_.cores[i];
            for (const WorldRank rank : core.ranks)
                mark(rank);
            if (hang_ups) {
                together.insert(together.end(), core.waits.begin(), core.waits.end());
            } else {
                print_waits(core_title(i), core.waits);
            }
        }
        print_waits("Who waits for whom", together);
    }

    void print_victims() {
        if (verdict_.victims.empty()) return;
        std::multimap<WorldRank, const Wait*> waits;
        for (const Wait& wait : verdict_.waits)
            waits.emplace(wait.rank, &wait);
        Rows rows(worlds_, options_.verbose);
        for (const Victim& victim : verdict_.victims) {
            const RankSnapshot* rank = find_rank(victim.rank);
            const std::string at = place(rank);
            Rows::Row row;
            row.cells = {chain_text(victim), at, call_of(rank, "?")};
            const auto [first, last] = waits.equal_range(victim.rank);
            for (auto wait = first; wait != last; ++wait) {
                const std::vector<std::string>& hints = wait->second->hints;
                if (options_.verbose) row.whys.push_back(why(*wait->second, at));
                row.hints.insert(row.hints.end(), hints.begin(), hints.end());
            }
            rows.add(victim.rank, std::move(row));
            mark(victim.rank);
        }
        title("Victims: blocked only because of the ranks above");
        rows.print(page_, {"BEHIND", "AT", "CALL"});
    }

    /// The ranks between a victim and the core; long chains lose their middle.
    std::string chain_text(const Victim& victim) const {
        std::vector<std::string> ranks;
        for (const WorldRank rank : victim.chain) {
            if (rank != victim.rank) ranks.push_back(rank_ranges(worlds_, {&rank, 1}));
        }
        if (!options_.verbose && ranks.size() > kChainShown) {
            ranks.erase(ranks.begin() + 2, ranks.end() - 1);
            ranks.insert(ranks.begin() + 2, "...");
        }
        return fmt::format("{}", fmt::join(ranks, " -> "));
    }

    void print_other_waits() {
        std::vector<Wait> finalizing;
        std::vector<Wait> others;
        for (const Wait& wait : verdict_.waits) {
            const RankSnapshot* rank = find_rank(wait.rank);
            if (rank == nullptr || reported_[wait.rank.index()]) continue;
            // Unreadable ranks have a table of their own.
            if (rank->state != RankState::Blocked) continue;
            const bool in_finalize = rank->call && rank->call->function == "MPI_Finalize";
            (in_finalize ? finalizing : others).push_back(wait);
        }
        print_waits(verdict_.kind == VerdictKind::Unknown
                        ? "Blocked; whether they can be released is not known"
                        : "Blocked, but can still be released",
                    others);
        print_waits("In MPI_Finalize: they will not communicate again", finalizing);
    }

    void print_waits(std::string_view heading, std::span<const Wait> waits) {
        if (waits.empty()) return;
        Rows rows(worlds_, options_.verbose);
        add_waits(rows, waits);
        title(heading);
        rows.print(page_, {"WAITS FOR", "AT", "CALL"});
    }

    void print_without_waits() {
        Rows rows(worlds_, options_.verbose);
        for (const RankSnapshot& rank : snapshot_.ranks) {
            if (rank.state != RankState::Blocked || reported_[rank.rank.index()]) continue;
            rows.add(rank.rank, {{}, {place(&rank), call_of(&rank, "?")}, {}, {}});
        }
        if (rows.empty()) return;
        title("In MPI calls that wait for no rank");
        rows.print(page_, {"AT", "CALL"});
    }

    void print_running() {
        if (verdict_.running.empty()) return;
        const std::vector<std::string> waiters = waiters_of_each();
        Rows rows(worlds_, options_.verbose);
        for (const WorldRank number : verdict_.running) {
            const RankSnapshot* rank = find_rank(number);
            if (rank == nullptr) continue;
            rows.add(
                number,
                {{},
                 {waiters[number.index()], place(rank), activity_text(*rank, options_.verbose)},
                 {},
                 {}});
        }
        title("Running: not blocked");
        rows.print(page_, {"AWAITED BY", "AT", "IN"});
    }

    /// By rank: who waits for it. Ranks that are named by the same waits are worked
    /// out once.
    std::vector<std::string> waiters_of_each() {
        std::map<std::size_t, std::vector<WorldRank>> waiters_of_list;
        for (const Wait& wait : verdict_.waits) {
            waiters_of_list[lists_.number(wait.targets)].push_back(wait.rank);
        }
        std::vector<std::vector<std::size_t>> lists_with(snapshot_.ranks.size());
        for (const auto& [number, waiting] : waiters_of_list) {
            for (const WorldRank target : lists_[number]) {
                if (find_rank(target) != nullptr) lists_with[target.index()].push_back(number);
            }
        }
        std::map<std::vector<std::size_t>, std::string> known;
        std::vector<std::string> texts;
        for (const std::vector<std::size_t>& lists : lists_with) {
            const auto [place, is_new] = known.emplace(lists, "");
            if (is_new && !lists.empty()) {
                std::vector<WorldRank> waiting;
                for (const std::size_t number : lists) {
                    const std::vector<WorldRank>& more = waiters_of_list[number];
                    waiting.insert(waiting.end(), more.begin(), more.end());
                }
                place->second = rank_ranges(worlds_, waiting, kRangesShown);
            }
            texts.push_back(place->second);
        }
        return texts;
    }

    /// One line, if there are such ranks.
    template <class Is>
    void print_ranks(std::string_view what, Is is) {
        std::vector<WorldRank> ranks;
        for (const RankSnapshot& rank : snapshot_.ranks) {
            if (is(rank)) ranks.push_back(rank.rank);
        }
        if (!ranks.empty()) title(fmt::format("{}: {}", what, named_ranks(worlds_, ranks)));
    }

    void print_problems() {
        Rows rows(worlds_, options_.verbose);
        for (const RankSnapshot& rank : snapshot_.ranks) {
            const bool unreadable = rank.state == RankState::Unreadable;
            if (!unreadable && rank.problem.empty()) continue;
            std::string problem = rank.problem.empty() ? "reason unknown" : rank.problem;
            rows.add(rank.rank, {{}, {unreadable ? "no" : "partly", std::move(problem)}, {}, {}});
        }
        if (rows.empty() && snapshot_.problems.empty()) return;
        title("Could not be read");
        if (!rows.empty()) rows.print(page_, {"READ", "PROBLEM"});
        for (const std::string& problem : snapshot_.problems) {
            page_.paragraph(Style::Warning, problem, 2);
        }
    }

    void print_stacks() {
        const StackTree tree =
            merge_stacks(snapshot_, options_.verbose ? Frames::All : Frames::OfUser);
        if (tree.nodes.empty()) return;
        title("Stacks, outermost frame first");
        print_stack_tree(page_, snapshot_, tree, options_.verbose, 2);
    }

    std::string host_text() const {
        if (snapshot_.hosts.empty()) return "";
        if (snapshot_.hosts.size() == 1) return " on " + snapshot_.hosts.front();
        return fmt::format(" on {} hosts", snapshot_.hosts.size());
    }

    /// Core files stand still anyway.
    std::string time_text() const {
        if (snapshot_.stopped_ms <= 0) return fmt::format("{:.1f} ms in total", snapshot_.total_ms);
        return fmt::format("ranks stopped for {:.1f} ms, {:.1f} ms in total",
                           snapshot_.stopped_ms,
                           snapshot_.total_ms);
    }

    void print_footer() {
        const std::size_t size = snapshot_.ranks.size();
        std::vector<std::string> parts;
        parts.push_back(
            fmt::format("{}{}{}",
                        size == 1 ? "1 rank" : fmt::format("{} ranks", size),
                        worlds_.several() ? fmt::format(" of {} worlds", worlds_.count()) : "",
                        host_text()));
        if (!snapshot_.launcher.empty()) parts.push_back("started by " + snapshot_.launcher);
        if (!snapshot_.mpi.empty()) parts.push_back(snapshot_.mpi);
        if (!snapshot_.dll.empty()) {
            parts.push_back("queues read by " +
                            location_text({snapshot_.dll, 0}, options_.verbose));
        }
        for (const std::string& file : snapshot_.types) {
            parts.push_back("types from " + location_text({file, 0}, options_.verbose));
        }
        page_.blank();
        page_.paragraph(Style::Dim, fmt::format("{}", fmt::join(parts, "; ")));
        page_.paragraph(Style::Dim, time_text());
    }

    const JobSnapshot& snapshot_;
    model::Worlds worlds_;
    const Verdict& verdict_;
    const TextOptions& options_;
    Page page_;
    std::vector<bool> reported_;  ///< ranks that a table above names
    DistinctLists lists_;
    std::vector<std::string> list_texts_;  ///< of lists_, by number
};

}  // namespace

std::string print_text(const JobSnapshot& snapshot,
                       const Verdict& verdict,
                       const TextOptions& options) {
    return TextReport(snapshot, verdict, options).print();
}

}  // namespace mqinspect::report

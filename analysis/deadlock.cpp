#include "analysis/deadlock.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "analysis/confirm.h"
#include "analysis/job_index.h"
#include "analysis/matching.h"
#include "analysis/near_miss.h"
#include "analysis/sentence.h"
#include "analysis/stuck.h"
#include "analysis/waits.h"
#include "analysis/wording.h"

namespace mqinspect::analysis {

using model::RankState;
using model::WorldRank;
using Mode = WaitForGraph::Mode;

namespace {

constexpr std::size_t kLongestChain = 64;
constexpr std::size_t kMostTexts = 3;  // conditions of one call that are spelled out

RankList rank_list(std::span<const Node> nodes) {
    std::vector<WorldRank> ranks;
    ranks.reserve(nodes.size());
    for (const Node node : nodes)
        ranks.emplace_back(static_cast<int>(node));
    return ranks;
}

// Turns the conditions of ranks into waits for the report.
class WaitReporter {
public:
    WaitReporter(const JobIndex& index, const Matching& matching, const Waits& waits)
        : index_(index), waits_(waits), near_misses_(index, matching, waits) {}

    // With hints if the rank is stuck.
    void report(Node node, bool stuck, std::vector<Wait>& out) {
        const RankWait& rank_wait = waits_.ranks[node];
        const auto& clauses = rank_wait.clauses;
        if (clauses.empty() || !index_.rank(node).call) return;
        std::vector<const Clause*> together;
        const std::size_t first = out.size();
        for (const Clause& clause : clauses) {
            if (clause.bound) continue;
            const bool alone = rank_wait.mode == Mode::All && clause.mode == Mode::Any;
            if (alone) {
                add(node, {&clause}, false, stuck, out);
            } else {
                together.push_back(&clause);
            }
        }
        if (!together.empty()) {
            const bool all = together.size() == 1 ? together.front()->mode == Mode::All
                                                  : rank_wait.mode == Mode::All;
            add(node, together, all, stuck, out);
        }
        merge_equal(out, first);
    }

private:
    struct Named {
        RankList ranks;
        std::string text;
    };

    const Named& named(SharedTargets targets, const Clause& clause) {
        const auto [place, is_new] = named_.try_emplace({targets.set, targets.length});
        if (is_new) {
            const std::vector<Node> nodes = targets_of(waits_, clause);
            place->second = {rank_list(nodes), ranks_text(index_, std::span(nodes))};
        }
        return place->second;
    }

    std::string text_of(const Clause& clause) {
        const std::string targets = clause.shared ? named(*clause.shared, clause).text
                                                  : ranks_text(index_, std::span(clause.targets));
        return clause_text(index_, clause, targets);
    }

    RankList union_of(const std::vector<const Clause*>& clauses) {
        if (clauses.size() == 1) {
            const Clause& clause = *clauses.front();
            return clause.shared ? named(*clause.shared, clause).ranks : rank_list(clause.targets);
        }
        std::vector<Node> nodes;
        for (const Clause* clause : clauses) {
            const auto targets = targets_of(waits_, *clause);
            nodes.insert(nodes.end(), targets.begin(), targets.end());
        }
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return rank_list(nodes);
    }

    void add(Node node,
             const std::vector<const Clause*>& clauses,
             bool all,
             bool stuck,
             std::vector<Wait>& out) {
        const auto& call = index_.rank(node).call;
        Wait wait;
        wait.rank = index_.rank(node).rank;
        wait.targets = union_of(clauses);
        wait.all = all;
        if (call) wait.call = call->function;
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < clauses.size() && texts.size() <= kMostTexts; ++i) {
            std::string text = texts.size() < kMostTexts
                                   ? text_of(*clauses[i])
                                   : std::to_string(clauses.size() - i) + " more";
            // Two requests for the same are one wait for a reader.
            if (std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
            if (!texts.empty()) wait.why += all ? "; " : ", or ";
            wait.why += text;
            texts.push_back(std::move(text));
            if (!stuck || texts.size() > kMostTexts) continue;
            for (std::string& hint : near_misses_.find(node, *clauses[i])) {
                wait.hints.push_back(std::move(hint));
            }
        }
        const std::string place = call ? place_text(call->location) : std::string();
        if (!place.empty()) wait.why += " (" + place + ")";
        out.push_back(std::move(wait));
    }

    // Two receives from any source are one wait for a reader.
    static void merge_equal(std::vector<Wait>& waits, std::size_t first) {
        for (std::size_t i = first + 1; i < waits.size();) {
            const bool again = std::any_of(waits.begin() + static_cast<std::ptrdiff_t>(first),
                                           waits.begin() + static_cast<std::ptrdiff_t>(i),
                                           [&](const Wait& earlier) {
                                               return earlier.all == waits[i].all &&
                                                      earlier.targets == waits[i].targets;
                                           });
            if (again) {
                waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
    }

    const JobIndex& index_;
    const Waits& waits_;
    NearMisses near_misses_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Named> named_;
};

class Analysis {
public:
    explicit Analysis(const model::JobSnapshot& snapshot)
        : index_(snapshot),
          matching_(index_),
          waits_(find_waits(index_, matching_)),
          stuck_(index_, waits_) {}

    const JobIndex& index() const { return index_; }
    // By rank: what it is stuck in does not have to last.
    std::vector<bool> settled_at_first() const {
        std::vector<bool> settled(index_.size(), true);
        for (Node node = 0; node < index_.size(); ++node) {
            const auto& clauses = waits_.ranks[node].clauses;
            settled[node] = std::none_of(clauses.begin(), clauses.end(), [](const Clause& clause) {
                return clause.lasting;
            });
        }
        return settled;
    }
    bool is_stuck(Node node) const { return stuck_.is_stuck(node); }

    // By rank: it waits for one that had not ended before. What that has sent at last may be
    // on its way still.
    std::vector<bool> waits_for_new_end(const JobIndex& before) const {
        std::vector<bool> ended_since(index_.size());
        bool any = false;
        for (Node node = 0; node < index_.size(); ++node) {
            // In MPI_Finalize it still answers those that are there, too.
            const bool exited = index_.state(node) == RankState::Exited;
            const bool then =
                node < before.size() &&
                (exited ? before.state(node) == RankState::Exited : before.ended(node));
            ended_since[node] = index_.ended(node) && !then;
            any = any || ended_since[node];
        }
        std::vector<bool> result(index_.size());
        for (Node node = 0; any && node < index_.size(); ++node) {
            if (!stuck_.is_stuck(node)) continue;
            for (const Clause& clause : waits_.ranks[node].clauses) {
                const auto targets = targets_of(waits_, clause);
                result[node] =
                    result[node] || std::any_of(targets.begin(), targets.end(), [&](Node target) {
                        return ended_since[target];
                    });
            }
        }
        return result;
    }

    // `settled`: by rank, whether what it is stuck in is sure to last.
    Verdict verdict(const std::vector<bool>& settled) const {
        Verdict verdict;
        add_waits(verdict);
        add_cores(settled, verdict);
        add_victims(verdict);
        for (Node node = 0; node < index_.size(); ++node) {
            const WorldRank rank = index_.rank(node).rank;
            if (index_.state(node) == RankState::Running) verdict.running.push_back(rank);
            if (index_.crashed(node)) verdict.crashed.push_back(rank);
            if (!settled[node]) verdict.unconfirmed.push_back(rank);
        }
        for (const Node node : stuck_.unknown()) {
            verdict.unknown.push_back(index_.rank(node).rank);
        }
        const auto has = [&](VerdictKind kind) {
            return std::any_of(verdict.cores.begin(), verdict.cores.end(), [&](const Core& core) {
                return core.kind == kind;
            });
        };
        if (verdict.cores.empty() && !verdict.unknown.empty()) verdict.kind = VerdictKind::Unknown;
        if (has(VerdictKind::Suspected)) verdict.kind = VerdictKind::Suspected;
        // That a rank has died is certain, whatever the others do.
        if (!verdict.crashed.empty()) verdict.kind = VerdictKind::Crash;
        for (const VerdictKind kind : {VerdictKind::HangUp, VerdictKind::Deadlock}) {
            if (has(kind)) verdict.kind = kind;
        }
        verdict.sentence = sentence(index_, waits_, stuck_, verdict);
        return verdict;
    }

private:
    void add_waits(Verdict& verdict) const {
        WaitReporter reporter(index_, matching_, waits_);
        for (Node node = 0; node < index_.size(); ++node) {
            reporter.report(node, stuck_.is_stuck(node), verdict.waits);
        }
    }

    void add_cores(const std::vector<bool>& settled, Verdict& verdict) const {
        for (const auto& found : stuck_.certain().cores) {
            Core core;
            core.kind = found.cyclic ? VerdictKind::Deadlock : VerdictKind::HangUp;
            for (const std::uint32_t graph_node : found.nodes) {
                const Node node = stuck_.rank_of(graph_node);
                core.ranks.push_back(index_.rank(node).rank);
                if (!settled[node]) core.kind = VerdictKind::Suspected;
                const auto waits = std::equal_range(
                    verdict.waits.begin(), verdict.waits.end(), core.ranks.back(), ByRank());
                core.waits.insert(core.waits.end(), waits.first, waits.second);
            }
            verdict.cores.push_back(std::move(core));
        }
    }

    struct ByRank {
        bool operator()(const Wait& wait, WorldRank rank) const { return wait.rank < rank; }
        bool operator()(WorldRank rank, const Wait& wait) const { return rank < wait.rank; }
    };

    void add_victims(Verdict& verdict) const {
        const auto& next = stuck_.certain().next_to_core;
        const std::vector<std::uint32_t> ends = ends_of_chains();
        const std::vector<bool> blamed = targets_of_stuck_ranks();
        for (Node node = 0; node < index_.size(); ++node) {
            std::uint32_t at = stuck_.own_node(node);
            if (!stuck_.certain().stuck[at] || next[at] == at) continue;
            // A rank in MPI_Finalize that others wait for is the cause, not a victim.
            if (index_.in_finalize(node) && blamed[node]) continue;
            Victim victim;
            victim.rank = index_.rank(node).rank;
            const auto add = [&](std::uint32_t graph_node) {
                victim.chain.push_back(index_.rank(stuck_.rank_of(graph_node)).rank);
            };
            add(at);
            for (; next[at] != at && victim.chain.size() + 1 < kLongestChain; at = next[at]) {
                add(next[at]);
            }
            if (next[at] != at) add(ends[at]);
            verdict.victims.push_back(std::move(victim));
        }
    }

    // For each stuck node the core's node that its chain ends at.
    std::vector<std::uint32_t> ends_of_chains() const {
        const auto& next = stuck_.certain().next_to_core;
        const auto nowhere = static_cast<std::uint32_t>(next.size());
        std::vector<std::uint32_t> ends(next.size(), nowhere);
        std::vector<std::uint32_t> way;
        for (std::uint32_t node = 0; node < next.size(); ++node) {
            if (next[node] == nowhere) continue;
            std::uint32_t at = node;
            for (; ends[at] == nowhere && next[at] != at; at = next[at])
                way.push_back(at);
            const std::uint32_t end = ends[at] == nowhere ? at : ends[at];
            ends[at] = end;
            for (; !way.empty(); way.pop_back())
                ends[way.back()] = end;
        }
        return ends;
    }

    std::vector<bool> targets_of_stuck_ranks() const {
        std::vector<bool> result(index_.size());
        std::vector<std::uint32_t> seen(waits_.sets.size());
        for (Node node = 0; node < index_.size(); ++node) {
            if (!stuck_.is_stuck(node) || index_.in_finalize(node)) continue;
            for (const Clause& clause : waits_.ranks[node].clauses) {
                for (const Node target : clause.targets)
                    result[target] = true;
                if (!clause.shared) continue;
                auto& length = seen[clause.shared->set];
                for (; length < clause.shared->length; ++length) {
                    result[waits_.sets[clause.shared->set][length]] = true;
                }
            }
        }
        return result;
    }

    JobIndex index_;
    Matching matching_;
    Waits waits_;
    Stuck stuck_;
};

}  // namespace

Verdict analyze(const model::JobSnapshot& snapshot) {
    const Analysis analysis(snapshot);
    return analysis.verdict(analysis.settled_at_first());
}

Verdict analyze_again(const model::JobSnapshot& snapshot, std::span<const WorldRank> unconfirmed) {
    std::vector<bool> settled(snapshot.ranks.size(), true);
    for (const WorldRank rank : unconfirmed) {
        if (rank.value >= 0 && rank.index() < settled.size()) settled[rank.index()] = false;
    }
    return Analysis(snapshot).verdict(settled);
}

Verdict analyze_confirmed(const model::JobSnapshot& first, const model::JobSnapshot& second) {
    const Analysis before(first);
    const Analysis after(second);
    std::vector<bool> settled = unmoved_ranks(before.index(), after.index());
    for (Node node = 0; node < std::min(first.ranks.size(), second.ranks.size()); ++node) {
        if (settled[node] && !before.is_stuck(node)) settled[node] = false;
    }
    const std::vector<bool> doubtful = after.waits_for_new_end(before.index());
    for (Node node = 0; node < doubtful.size(); ++node) {
        if (doubtful[node]) settled[node] = false;
    }
    return after.verdict(settled);
}

}  // namespace mqinspect::analysis

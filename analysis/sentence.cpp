#include "analysis/sentence.h"

#include <algorithm>
#include <span>

#include "analysis/crashes.h"
#include "analysis/wording.h"

namespace mqinspect::analysis {

using model::RankState;
using model::WorldRank;

namespace {

constexpr std::size_t kMostCallsNamed = 4;  // ranks of a core whose calls are named

class Speaker {
public:
    Speaker(const JobIndex& index, const Waits& waits, const Stuck& stuck, const Verdict& verdict)
        : index_(index), waits_(waits), stuck_(stuck), verdict_(verdict) {}

    std::string speak() const {
        const std::string ended = ended_text(index_);
        return crash_and_verdict_text() + (ended.empty() ? "" : " " + ended);
    }

private:
    std::string crash_and_verdict_text() const {
        const std::string crashes = crashes_text(index_);
        if (crashes.empty()) return verdict_text();
        if (verdict_.kind == VerdictKind::Crash || waits_only_for_crashed()) {
            return crashes + waits_for_crashed_text() + victims_text() + running_ranks_text() +
                   unread_text();
        }
        return crashes + " " + verdict_text();
    }

    std::string verdict_text() const {
        switch (verdict_.kind) {
            case VerdictKind::Deadlock:
            case VerdictKind::HangUp:
            case VerdictKind::Suspected:
                return stuck_text();
            case VerdictKind::Unknown:
                return unknown_text();
            case VerdictKind::None:
            case VerdictKind::Crash:
                break;
        }
        return "No deadlock: " + free_text() + "." + unread_text();
    }

    const model::RankSnapshot& rank(WorldRank world_rank) const {
        return index_.rank(static_cast<Node>(world_rank.index()));
    }

    std::string name_of(WorldRank world_rank) const {
        return model::rank_name(index_.worlds(), world_rank);
    }

    std::string call_of(WorldRank world_rank) const {
        const auto& call = rank(world_rank).call;
        return call ? call_text(call->function, call->location) : "MPI";
    }

    // "MPI_Recv at ring.c:14", for use within parentheses.
    std::string call_at(WorldRank world_rank) const {
        const auto& call = rank(world_rank).call;
        if (!call) return "MPI";
        const std::string place = place_text(call->location);
        return place.empty() ? call->function : call->function + " at " + place;
    }

    // call_at if all of the core are there, else empty.
    std::string common_call(const Core& core) const {
        const auto& first = rank(core.ranks.front()).call;
        const bool common = std::all_of(core.ranks.begin(), core.ranks.end(), [&](WorldRank each) {
            const auto& call = rank(each).call;
            return first && call && call->function == first->function &&
                   call->location == first->location;
        });
        return common ? call_at(core.ranks.front()) : std::string();
    }

    // Of the core that the verdict is about: the first of its kind.
    const Core& main_core() const {
        const auto found =
            std::find_if(verdict_.cores.begin(), verdict_.cores.end(), [&](const Core& core) {
                return core.kind == verdict_.kind;
            });
        return found == verdict_.cores.end() ? verdict_.cores.front() : *found;
    }

    bool is_hang_up(const Core& core) const {
        return core.ranks.size() == 1 &&
               std::none_of(core.waits.begin(), core.waits.end(), [&](const Wait& wait) {
                   return std::find(wait.targets.begin(), wait.targets.end(), core.ranks.front()) !=
                          wait.targets.end();
               });
    }

    // Ranks of the cores with the same call and targets: all that a barrier without
    // a rank that has ended leaves behind.
    std::vector<WorldRank> alike(const Core& core) const {
        std::vector<WorldRank> ranks;
        for (const Core& other : verdict_.cores) {
            const bool same = other.kind == core.kind && other.ranks.size() == 1 &&
                              call_of(other.ranks.front()) == call_of(core.ranks.front()) &&
                              std::equal(other.waits.begin(),
                                         other.waits.end(),
                                         core.waits.begin(),
                                         core.waits.end(),
                                         [](const Wait& left, const Wait& right) {
                                             return left.targets == right.targets;
                                         });
            if (same) ranks.push_back(other.ranks.front());
        }
        return ranks;
    }

    std::string stuck_text() const {
        const Core& core = main_core();
        const bool hang_up = is_hang_up(core);
        const std::vector<WorldRank> together =
            hang_up ? alike(core) : std::vector<WorldRank>{core.ranks.front()};
        std::string text = hang_up ? "Hang-up: " : "Deadlock: ";
        if (verdict_.kind == VerdictKind::Suspected) {
            text = hang_up ? "Suspected hang-up: " : "Suspected deadlock: ";
        }
        text += hang_up ? hang_up_text(core, together) : deadlock_text(core);
        if (verdict_.kind == VerdictKind::Suspected) {
            text += ", but they were not seen to stand still between two looks";
        }
        text += ".";
        const std::size_t cores = hang_up ? together.size() : 1;
        if (const std::size_t more = verdict_.cores.size() - cores; more > 0) {
            text += more == 1 ? " There is 1 more core."
                              : " There are " + std::to_string(more) + " more cores.";
        }
        return text + victims_text() + running_ranks_text() + unread_text();
    }

    std::string victims_text() const {
        if (verdict_.victims.empty()) return {};
        std::vector<WorldRank> ranks;
        for (const Victim& victim : verdict_.victims)
            ranks.push_back(victim.rank);
        return " Because of that, " + ranks_text(index_, std::span<const WorldRank>(ranks)) +
               " can't go on either.";
    }

    std::string running_ranks_text() const {
        if (verdict_.running.empty()) return {};
        return " Still running: " +
               ranks_text(index_, std::span<const WorldRank>(verdict_.running)) + ".";
    }

    // It can't go on without a rank that has crashed.
    bool waits_for_crashed(const Core& core) const {
        const auto crashed = [this](WorldRank each) {
            return index_.crashed(static_cast<Node>(each.index()));
        };
        return is_hang_up(core) && std::ranges::any_of(core.waits, [&](const Wait& wait) {
                   const auto& targets = wait.targets;
                   return wait.all ? std::ranges::any_of(targets, crashed)
                                   : !targets.empty() && std::ranges::all_of(targets, crashed);
               });
    }

    bool waits_only_for_crashed() const {
        return !verdict_.cores.empty() &&
               std::ranges::all_of(verdict_.cores,
                                   [this](const Core& core) { return waits_for_crashed(core); });
    }

    // " Ranks 0 and 1 wait for it in MPI_Barrier (heat.c:40)."
    std::string waits_for_crashed_text() const {
        std::vector<WorldRank> waiting;
        for (const Core& core : verdict_.cores) {
            if (waits_for_crashed(core)) waiting.push_back(core.ranks.front());
        }
        if (waiting.empty()) return {};
        const bool alike = std::ranges::all_of(
            waiting, [&](WorldRank each) { return call_of(each) == call_of(waiting.front()); });
        std::string text = ranks_text(index_, std::span<const WorldRank>(waiting));
        text.front() = 'R';
        text += (waiting.size() == 1 ? " waits for " : " wait for ");
        text += verdict_.crashed.size() == 1 ? "it" : "them";
        if (alike) text += " in " + call_of(waiting.front());
        return " " + text + ".";
    }

    std::string deadlock_text(const Core& core) const {
        const std::span<const WorldRank> ranks(core.ranks);
        if (core.ranks.size() == 1) {
            return ranks_text(index_, ranks) + " waits for itself in " +
                   call_of(core.ranks.front());
        }
        if (std::string text = collective_text(core); !text.empty()) return text;
        const std::string common = common_call(core);
        std::string text = ranks_text(index_, ranks) + " wait for each other";
        if (is_cycle(core) && core.ranks.size() > 2) text += " in a cycle";
        if (!common.empty()) return text + " (each in " + common + ")";
        return text + " (" + calls_text(core) + ")";
    }

    // Each rank waits for exactly one: then a strongly connected core is a ring.
    static bool is_cycle(const Core& core) {
        return core.waits.size() == core.ranks.size() &&
               std::all_of(core.waits.begin(), core.waits.end(), [](const Wait& wait) {
                   return wait.targets.size() == 1;
               });
    }

    // "rank 0 in MPI_Recv at a.c:3, rank 1 in MPI_Ssend at b.c:5", the first few.
    std::string calls_text(const Core& core) const {
        std::string text;
        for (std::size_t i = 0; i < core.ranks.size(); ++i) {
            if (i == kMostCallsNamed) return text + ", ...";
            text += (i == 0 ? "" : ", ") + name_of(core.ranks[i]) + " in " + call_at(core.ranks[i]);
        }
        return text;
    }

    // The clause of a rank that is in a blocking collective operation, or null.
    const Clause* collective_clause(WorldRank world_rank) const {
        for (const Clause& clause : waits_.ranks[world_rank.index()].clauses) {
            const bool blocking = clause.kind == Clause::Kind::Enter ||
                                  (clause.kind == Clause::Kind::Take && !clause.operation);
            if (blocking) return &clause;
        }
        return nullptr;
    }

    // A collective operation that one rank has not entered, or that is not the same
    // one on every rank; empty if the core is of another kind.
    std::string collective_text(const Core& core) const {
        const Clause* entered = nullptr;
        bool all_in_one = true;
        for (const WorldRank each : core.ranks) {
            const Clause* clause = collective_clause(each);
            all_in_one = all_in_one && clause != nullptr;
            const bool better = entered == nullptr || entered->kind != Clause::Kind::Enter;
            if (clause != nullptr && better) entered = clause;
        }
        if (entered == nullptr) return {};
        if (all_in_one) return different_collectives_text(core);
        if (entered->kind != Clause::Kind::Enter) return {};
        // Of members that are not in sight nobody knows.
        if (index_.has_foreign_members(entered->call->communicator)) return {};
        const std::string communicator = communicator_text(index_, entered->call->communicator);
        const std::vector<Node> absent = targets_of(waits_, *entered);
        if (absent.size() != 1) return {};
        const WorldRank missing = index_.rank(absent.front()).rank;
        if (std::find(core.ranks.begin(), core.ranks.end(), missing) == core.ranks.end()) return {};
        return "all members of " + communicator + " but " + ranks_text(index_, std::span(absent)) +
               " have entered " + call_text(entered->call->function, entered->call->location) +
               "; " + name_of(missing) + " waits in " + call_of(missing) + " for " +
               waited_for(core, missing);
    }

    std::string different_collectives_text(const Core& core) const {
        const Clause* first = collective_clause(core.ranks.front());
        bool one_function = true;
        bool one_communicator = true;
        for (const WorldRank each : core.ranks) {
            const model::Call& call = *collective_clause(each)->call;
            one_function = one_function && call.function == first->call->function;
            one_communicator = one_communicator && call.communicator == first->call->communicator;
        }
        if (one_function && one_communicator) return {};
        std::string text = ranks_text(index_, std::span<const WorldRank>(core.ranks)) +
                           " are in different collective operations";
        if (one_communicator) {
            return text + " on " + communicator_text(index_, first->call->communicator) + " (" +
                   calls_text(core) + ")";
        }
        for (std::size_t i = 0; i < std::min(core.ranks.size(), kMostCallsNamed); ++i) {
            const model::Call& call = *collective_clause(core.ranks[i])->call;
            text += (i == 0 ? " (" : ", ") + name_of(core.ranks[i]) + " in " +
                    call_at(core.ranks[i]) + " on " + communicator_text(index_, call.communicator);
        }
        return text + (core.ranks.size() > kMostCallsNamed ? ", ...)" : ")");
    }

    std::string waited_for(const Core& core, WorldRank waiting) const {
        for (const Wait& wait : core.waits) {
            if (wait.rank != waiting || wait.targets.empty()) continue;
            return (wait.all || wait.targets.size() == 1 ? "" : "any of ") +
                   ranks_text(index_, std::span<const WorldRank>(wait.targets));
        }
        return "them";
    }

    std::string hang_up_text(const Core& core, const std::vector<WorldRank>& waiting) const {
        std::string text = ranks_text(index_, std::span(waiting)) +
                           (waiting.size() == 1 ? " waits in " : " wait in ") +
                           call_of(waiting.front()) + " for ";
        std::vector<Node> finalized;
        std::vector<Node> exited;
        for (const Wait& wait : core.waits) {
            for (const WorldRank target : wait.targets) {
                const auto node = static_cast<Node>(target.index());
                if (index_.in_finalize(node)) {
                    finalized.push_back(node);
                } else if (index_.state(node) == RankState::Exited) {
                    exited.push_back(node);
                }
            }
        }
        const auto have = [this](const std::vector<Node>& ranks, const std::string& done) {
            return ranks_text(index_, std::span(ranks)) + ", which " +
                   (ranks.size() == 1 ? "has " : "have ") + done;
        };
        if (finalized.empty() && exited.empty()) return text + "a message that nobody can send";
        if (exited.empty()) return text + have(finalized, "called MPI_Finalize");
        if (finalized.empty()) return text + have(exited, "ended");
        return text + have(finalized, "called MPI_Finalize") + ", and for " + have(exited, "ended");
    }

    std::string unknown_text() const {
        std::string text = "Unknown: ";
        const auto& unknown = verdict_.unknown;
        const auto unreadable = std::find_if(unknown.begin(), unknown.end(), [&](WorldRank each) {
            return rank(each).state == RankState::Unreadable;
        });
        if (unreadable != unknown.end()) {
            std::vector<WorldRank> ranks;
            std::copy_if(
                unknown.begin(), unknown.end(), std::back_inserter(ranks), [&](WorldRank each) {
                    return rank(each).state == RankState::Unreadable;
                });
            text += ranks_text(index_, std::span<const WorldRank>(ranks)) + " could not be read";
            const std::string& problem = rank(*unreadable).problem;
            if (!problem.empty()) text += " (" + problem + ")";
        } else {
            text += "what " + ranks_text(index_, std::span<const WorldRank>(unknown)) +
                    (unknown.size() == 1 ? " waits" : " wait") + " for in " +
                    call_of(unknown.front()) + " is not known for certain";
        }
        const auto& possibly = stuck_.possibly_stuck();
        if (possibly.empty()) return text + ".";
        return text + ", so " + ranks_text(index_, std::span(possibly)) +
               " may or may not be able to go on.";
    }

    // Running ranks that blocked ones wait for directly; each shared set once.
    std::vector<Node> awaited() const {
        std::vector<bool> marked(index_.size());
        std::vector<std::uint32_t> marked_of_set(waits_.sets.size());
        for (const RankWait& wait : waits_.ranks) {
            for (const Clause& clause : wait.clauses) {
                for (const Node target : clause.targets)
                    marked[target] = true;
                if (!clause.shared) continue;
                auto& length = marked_of_set[clause.shared->set];
                for (; length < clause.shared->length; ++length) {
                    marked[waits_.sets[clause.shared->set][length]] = true;
                }
            }
        }
        std::vector<Node> result;
        for (Node node = 0; node < index_.size(); ++node) {
            if (marked[node] && index_.state(node) == RankState::Running) {
                result.push_back(node);
            }
        }
        return result;
    }

    std::string free_text() const {
        std::vector<Node> waiting;
        std::vector<Node> passing;  // in a call that can go on
        for (Node node = 0; node < index_.size(); ++node) {
            const auto& clauses = waits_.ranks[node].clauses;
            const bool known = std::any_of(clauses.begin(), clauses.end(), [](const auto& clause) {
                return clause.kind != Clause::Kind::Other;
            });
            if (known) {
                waiting.push_back(node);
            } else if (clauses.empty() && index_.state(node) == RankState::Blocked) {
                passing.push_back(node);
            }
        }
        if (waiting.empty()) {
            if (passing.empty()) return std::string("no rank waits for another");
            return ranks_text(index_, std::span(passing)) +
                   (passing.size() == 1 ? " is in an MPI call" : " are in MPI calls") +
                   " that can go on";
        }
        const std::string text = ranks_text(index_, std::span(waiting)) +
                                 (waiting.size() == 1 ? " waits for " : " wait for ");
        const std::vector<Node> ranks = awaited();
        if (ranks.empty()) {
            if (passing.empty()) return text + "ranks that can go on";
            return text + ranks_text(index_, std::span(passing)) + ", which can go on";
        }
        const std::string runs = running_text(index_.rank(ranks.front()));
        if (ranks.size() == 1)
            return text + ranks_text(index_, std::span(ranks)) + ", which " + runs;
        return text + ranks_text(index_, std::span(ranks)) + ", which are running (" +
               rank_text(index_, ranks.front()) + " " + runs + ")";
    }

    // A verdict over ranks of which little is known says so.
    std::string unread_text() const {
        std::vector<Node> unread;
        std::vector<Node> unclear;
        for (Node node = 0; node < index_.size(); ++node) {
            const auto& clauses = waits_.ranks[node].clauses;
            if (index_.rank(node).state == RankState::Unreadable) {
                unread.push_back(node);
            } else if (!clauses.empty() && clauses.front().kind == Clause::Kind::Other) {
                unclear.push_back(node);
            }
        }
        std::string text;
        if (!unread.empty())
            text += " Not readable: " + ranks_text(index_, std::span(unread)) + ".";
        if (!unclear.empty()) {
            text += " Not known what it waits for: " + ranks_text(index_, std::span(unclear)) + ".";
        }
        return text;
    }

    const JobIndex& index_;
    const Waits& waits_;
    const Stuck& stuck_;
    const Verdict& verdict_;
};

}  // namespace

std::string sentence(const JobIndex& index,
                     const Waits& waits,
                     const Stuck& stuck,
                     const Verdict& verdict) {
    return Speaker(index, waits, stuck, verdict).speak();
}

}  // namespace mqinspect::analysis

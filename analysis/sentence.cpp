#include "analysis/sentence.h"

#include <algorithm>
#include <span>

#include "analysis/wording.h"

namespace mqinspect::analysis {

using model::RankState;
using model::WorldRank;

namespace {

class Speaker {
public:
    Speaker(const JobIndex& index, const Waits& waits, const Stuck& stuck, const Verdict& verdict)
        : index_(index), waits_(waits), stuck_(stuck), verdict_(verdict) {}

    std::string speak() const {
        switch (verdict_.kind) {
            case VerdictKind::Deadlock:
            case VerdictKind::HangUp:
            case VerdictKind::Suspected:
                return stuck_text();
            case VerdictKind::Unknown:
                return unknown_text();
            case VerdictKind::None:
                break;
        }
        return "No deadlock: " + free_text() + "." + unread_text();
    }

private:
    const model::RankSnapshot& rank(WorldRank world_rank) const {
        return index_.rank(static_cast<Node>(world_rank.index()));
    }

    std::string call_of(WorldRank world_rank) const {
        const auto& call = rank(world_rank).call;
        return call ? call_text(call->function, call->location) : "MPI";
    }

    // "MPI_Recv at ring.c:14" if all of the core are there, else empty.
    std::string common_call(const Core& core) const {
        const auto& first = rank(core.ranks.front()).call;
        const bool common = std::all_of(core.ranks.begin(), core.ranks.end(), [&](WorldRank each) {
            const auto& call = rank(each).call;
            return first && call && call->function == first->function &&
                   call->location == first->location;
        });
        if (!common) return {};
        const std::string place = place_text(first->location);
        return place.empty() ? first->function : first->function + " at " + place;
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

    std::string stuck_text() const {
        const Core& core = main_core();
        const bool hang_up = is_hang_up(core);
        std::string text;
        if (verdict_.kind == VerdictKind::Suspected) {
            text = hang_up ? "Suspected hang-up: " : "Suspected deadlock: ";
        } else {
            text = hang_up ? "Hang-up: " : "Deadlock: ";
        }
        text += hang_up ? hang_up_text(core) : deadlock_text(core);
        if (verdict_.kind == VerdictKind::Suspected) {
            text += ", but something moved or is not settled yet";
        }
        text += ".";
        if (const std::size_t more = verdict_.cores.size() - 1; more > 0) {
            text += more == 1 ? " There is 1 more core."
                              : " There are " + std::to_string(more) + " more cores.";
        }
        if (!verdict_.victims.empty()) {
            std::vector<WorldRank> ranks;
            for (const Victim& victim : verdict_.victims)
                ranks.push_back(victim.rank);
            text += " Because of that, " + ranks_text(std::span<const WorldRank>(ranks)) +
                    " can't go on either.";
        }
        if (!verdict_.running.empty()) {
            text +=
                " Still running: " + ranks_text(std::span<const WorldRank>(verdict_.running)) + ".";
        }
        return text + unread_text();
    }

    std::string deadlock_text(const Core& core) const {
        const std::span<const WorldRank> ranks(core.ranks);
        if (core.ranks.size() == 1) {
            return ranks_text(ranks) + " waits for itself in " + call_of(core.ranks.front());
        }
        if (const std::string text = collective_text(core); !text.empty()) return text;
        const std::string common = common_call(core);
        std::string text = ranks_text(ranks) + " wait for each other";
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

    // "rank 0 in MPI_Recv (a.c:3), rank 1 in MPI_Ssend (b.c:5)", the first few.
    std::string calls_text(const Core& core) const {
        constexpr std::size_t kMostCalls = 4;
        std::string text;
        for (std::size_t i = 0; i < core.ranks.size(); ++i) {
            if (i == kMostCalls) return text + ", ...";
            text += (i == 0 ? "rank " : ", rank ") + std::to_string(core.ranks[i].value) + " in " +
                    call_of(core.ranks[i]);
        }
        return text;
    }

    // A collective operation that one rank has not entered, or that is not the same
    // one on every rank; empty if the core is of another kind.
    std::string collective_text(const Core& core) const {
        const Clause* entered = nullptr;
        bool all_enter = true;
        for (const WorldRank each : core.ranks) {
            const RankWait& wait = waits_.ranks[each.index()];
            const auto found =
                std::find_if(wait.clauses.begin(), wait.clauses.end(), [](const Clause& clause) {
                    return clause.kind == Clause::Kind::Enter;
                });
            if (found == wait.clauses.end()) {
                all_enter = false;
            } else if (entered == nullptr) {
                entered = &*found;
            }
        }
        if (entered == nullptr) return {};
        const std::string communicator = communicator_text(index_, entered->call->communicator);
        if (all_enter && common_call(core).empty() && core.ranks.size() <= 4) {
            return ranks_text(std::span<const WorldRank>(core.ranks)) +
                   " are in different collective operations: " + calls_text(core);
        }
        const std::vector<Node> absent = targets_of(waits_, *entered);
        if (all_enter || absent.size() != 1 || absent.front() >= index_.size()) return {};
        const WorldRank missing = index_.rank(absent.front()).rank;
        if (std::find(core.ranks.begin(), core.ranks.end(), missing) == core.ranks.end()) return {};
        return "all members of " + communicator + " but " + ranks_text(std::span(absent)) +
               " have entered " + call_text(entered->call->function, entered->call->location) +
               "; rank " + std::to_string(missing.value) + " waits in " + call_of(missing) +
               " for " + waited_for(core, missing);
    }

    std::string waited_for(const Core& core, WorldRank waiting) const {
        for (const Wait& wait : core.waits) {
            if (wait.rank != waiting || wait.targets.empty()) continue;
            return (wait.all || wait.targets.size() == 1 ? "" : "any of ") +
                   ranks_text(std::span<const WorldRank>(wait.targets));
        }
        return "them";
    }

    std::string hang_up_text(const Core& core) const {
        const WorldRank waiting = core.ranks.front();
        std::string text =
            "rank " + std::to_string(waiting.value) + " waits in " + call_of(waiting) + " for ";
        std::vector<Node> finalized;
        std::vector<Node> exited;
        for (const Wait& wait : core.waits) {
            for (const WorldRank target : wait.targets) {
                const auto node = static_cast<Node>(target.index());
                if (index_.in_finalize(node)) {
                    finalized.push_back(node);
                } else if (rank(target).state == RankState::Exited) {
                    exited.push_back(node);
                }
            }
        }
        const auto have = [](const std::vector<Node>& ranks, const std::string& done) {
            return ranks_text(std::span(ranks)) + ", which " +
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
            text += ranks_text(std::span<const WorldRank>(ranks)) + " could not be read";
            const std::string& problem = rank(*unreadable).problem;
            if (!problem.empty()) text += " (" + problem + ")";
        } else {
            text += "what " + ranks_text(std::span<const WorldRank>(unknown)) +
                    (unknown.size() == 1 ? " waits" : " wait") + " for in " +
                    call_of(unknown.front()) + " is not known for certain";
        }
        const auto& possibly = stuck_.possibly_stuck();
        if (possibly.empty()) return text + ".";
        return text + ", so " + ranks_text(std::span(possibly)) +
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
            if (marked[node] && index_.rank(node).state == RankState::Running) {
                result.push_back(node);
            }
        }
        return result;
    }

    std::string free_text() const {
        std::vector<Node> blocked;
        for (Node node = 0; node < index_.size(); ++node) {
            if (!waits_.ranks[node].clauses.empty()) blocked.push_back(node);
        }
        if (blocked.empty()) return "no rank waits for another";
        const std::vector<Node> ranks = awaited();
        const std::string waiting =
            ranks_text(std::span(blocked)) + (blocked.size() == 1 ? " waits" : " wait");
        if (ranks.empty()) return waiting + ", but can go on";
        const std::string runs = running_text(index_.rank(ranks.front()));
        if (ranks.size() == 1)
            return waiting + " for " + ranks_text(std::span(ranks)) + ", which " + runs;
        return waiting + " for " + ranks_text(std::span(ranks)) + ", which are running (rank " +
               std::to_string(ranks.front()) + " " + runs + ")";
    }

    // A verdict over missing ranks says so.
    std::string unread_text() const {
        std::vector<Node> unread;
        for (Node node = 0; node < index_.size(); ++node) {
            if (index_.rank(node).state == RankState::Unreadable) unread.push_back(node);
        }
        if (unread.empty()) return {};
        return " Not readable: " + ranks_text(std::span(unread)) + ".";
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

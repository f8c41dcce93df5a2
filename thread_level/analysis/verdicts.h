/// The level that each MPI call needs, and why.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "thread_level/analysis/asked_groups.h"
#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/entry_locks.h"
#include "thread_level/analysis/handles.h"
#include "thread_level/analysis/summaries.h"

namespace mqinspect::thread_level {

/// A pair that really meets, and what is known of its handles.
struct Cause {
    Pair pair;
    Sameness communicator = Sameness::Unknown;
    bool is_collective = false;      ///< both are, on communicators
    bool is_unsure = false;          ///< a function that is not there decides it
    bool is_presumed_apart = false;  ///< that may be a lock
    bool is_assured = false;  ///< only where MPI_THREAD_MULTIPLE is provided: it needs no level
};

struct SiteVerdict {
    Site site;
    std::uint32_t cause = kNone;  ///< into causes(): the pair that needs MPI_THREAD_MULTIPLE
    bool is_second = false;       ///< of that pair
    int state = -1;               ///< at its function's entry, which needs the most
    bool is_unsure = false;
};

class Verdicts {
public:
    Verdicts(const Program& program, const Contexts& contexts, Summaries& summaries);

    const std::vector<SiteVerdict>& sites() const { return sites_; }
    const std::vector<Cause>& causes() const { return causes_; }
    /// Pairs that never run at the same time, but for which something is to be said.
    const std::vector<Pair>& turns() const { return turns_; }
    const Group& first_of(const Pair& pair) const;
    const Group& second_of(const Pair& pair) const;
    /// All threads make the call: whatever else it meets, it is wrong by itself.
    bool meets_itself(const Pair& pair) const;
    /// One MPI step that is in the group, and the calls that lead to it from the group's function.
    struct Route {
        FunctionId function = 0;
        StepId step = kNone;
        std::vector<std::pair<FunctionId, StepId>> calls;
    };
    /// `other`: a step to avoid if there is another one.
    Route route_to(const Pair& pair, bool is_second, StepId other = kNone) const;
    /// The shortest one to that call of MPI; without a step: the group has it not.
    Route route_to_site(const Pair& pair, bool is_second, FunctionId function, StepId step) const;
    const SiteVerdict* site_of(FunctionId function, StepId step) const;

private:
    using GroupKey = std::tuple<Node, std::uint32_t, std::uint32_t>;  ///< scope, number
    using Call = std::pair<FunctionId, StepId>;

    const std::vector<Origin>& origins_of(const GroupKey& key) const;
    bool find_lead(const GroupKey& start) const;
    void judge_states();
    void judge_states(FunctionId function, StepId step, SiteVerdict& verdict) const;
    /// What the pairs are judged by.
    struct Judging {
        const Handles& handles;
        const EntryLocks& entry;
        AskedGroups& asked;
        const EntryLocks* entry_or_assured = nullptr;
    };
    void judge_pairs();
    void judge_pair(Pair pair, const Judging& judging);
    bool is_of_run(const Pair& pair) const;
    void note_run(const Pair& pair);
    bool may_meet_as_run(const Pair& pair) const;
    void find_sites(const GroupKey& start, std::set<Call>& sites) const;
    Meeting turn_of(const Pair& pair, const Handles& handles) const;
    struct Todo {
        Node node;
        std::uint32_t scope;
        std::uint32_t group;
        std::uint32_t cause;
        bool is_second;
    };

    static int rank(const Cause& cause);
    bool is_assured(const Pair& pair) const;
    void mark();
    void mark(
        Node node, std::uint32_t scope, std::uint32_t group, std::uint32_t cause, bool second);
    void mark_below(const Todo& from);
    std::string word_of(FunctionId function, RegionId region) const;

    const Program& program_;
    const Contexts& contexts_;
    Summaries& summaries_;
    std::vector<SiteVerdict> sites_;
    std::vector<std::uint32_t> first_site_;  // by function
    std::vector<Cause> causes_;
    std::vector<Pair> turns_;
    /// What meets a thread that executes packaged tasks, by how calls of those are matched: MPI
    /// calls, and other such threads, or another one like it.
    std::map<StringId, std::set<Call>> met_by_run_;
    std::set<std::pair<StringId, StringId>> runs_that_meet_;
    std::vector<std::vector<std::vector<bool>>> marks_;  // by node, scope, group
    std::vector<Todo> todo_;
    mutable std::map<GroupKey, std::size_t> leads_;  ///< which origin: find_lead()
};

}  // namespace mqinspect::thread_level

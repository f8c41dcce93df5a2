/// Deadlocks and hang-ups in words.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/replay/stuck_threads.h"

namespace mqinspect::analysis {

/// Turns cores into findings, each once.
class StuckFindings {
public:
    /// The calls of cores that have been told of, in any play of the run.
    using Seen = std::set<std::vector<std::uint64_t>>;

    /// Keeps references.
    StuckFindings(Player& player, InterprocessReport& report, Seen& seen, bool strict)
        : player_(player), report_(report), seen_(seen), strict_(strict) {}

    bool is_new(const StuckThreads::Core& core) const { return seen_.count(calls_of(core)) == 0; }

    /// True: at least one of its calls returned, which buffering or an operation that did not
    /// synchronize has made possible, so that it can be let through.
    bool potential(const StuckThreads::Core& core) const;
    /// A potential one, that what a Test has found in the run has led to: under strict rules it
    /// would not have found that.
    bool doubtful(const StuckThreads::Core& core) const;
    /// Blocked for other reasons than a message that has not been sent: what strict rules alone
    /// can hold up.
    bool held_by_rules(ThreadIndex thread) const;

    /// `why`: a sentence about the matching, if it is not the one observed.
    void add(const StuckThreads& stuck, const StuckThreads::Core& core, const std::string& why);
    /// Says who cannot go on because of the core.
    void add_victims(const StuckThreads& stuck,
                     const StuckThreads::Core& core,
                     Finding& finding) const;
    /// After the play: potential ones in which a call never returned, unless something real has
    /// kept that call; and those at windows, unless a later call was kept out of the same window
    /// for good.
    void add_rest();

private:
    std::vector<std::uint64_t> calls_of(const StuckThreads::Core& core) const;
    bool waits_for_lock(ThreadIndex thread) const;
    /// A core of threads of which one waits, in a later call, for a lock that it was waiting for in
    /// a core of the same others: this one has been told of.
    bool is_told_by_lock(const std::vector<ThreadIndex>& threads);
    std::string_view passed_because(const std::vector<ThreadIndex>& threads) const;
    std::string call_text(ThreadIndex thread) const;
    std::string wait_text(const StuckThreads& stuck, ThreadIndex thread) const;
    const Operation* near_miss(ThreadIndex thread) const;
    std::string groups_text(ThreadIndex thread) const;
    void add_calls(const StuckThreads& stuck, ThreadIndex thread, Finding& finding) const;
    std::string sentence(const StuckThreads& stuck, const StuckThreads::Core& core) const;

    /// A thread that waits to be let in, by a lock or by MPI_Win_post, and the window. Its call
    /// may return before that, and a later one wait for it.
    using Admission = std::pair<ThreadIndex, std::int64_t>;
    struct Deferred {
        std::uint64_t key = 0;
        std::vector<ThreadIndex> never_returned;
        std::vector<Admission> admissions;
        Finding finding;
    };
    std::vector<Admission> admissions_of(const std::vector<ThreadIndex>& threads) const;
    void add_or_defer(const std::vector<ThreadIndex>& threads, std::uint64_t key, Finding finding);
    bool is_real(const Deferred& deferred) const;

    Player& player_;
    InterprocessReport& report_;
    Seen& seen_;
    bool strict_;
    std::vector<Deferred> deferred_;
    std::set<std::vector<std::uint64_t>> told_locks_;
    std::set<ThreadIndex> really_stuck_;
    std::set<Admission> really_kept_out_;
};

}  // namespace mqinspect::analysis

/// Looking at a whole job: stop all ranks, copy what is needed, let them go soon,
/// and work out what it means.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/job/core_job.h"
#include "inspector/job/job.h"
#include "inspector/mqs_host/mqs_host.h"
#include "inspector/snapshot/rank_stack.h"
#include "inspector/snapshot/thread_calls.h"
#include "inspector/snapshot/type_sources.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "inspector/target/stop.h"
#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

struct ObserverOptions {
    std::string dll;  ///< the user's choice of debugger DLL, empty: search
    /// Type donors that the user names; they must fit.
    std::vector<std::string> types;
    bool show_internal = false;
    std::chrono::milliseconds dll_patience = std::chrono::seconds(5);
};

/// Takes snapshots of one job. Holds what does not change between them; the job
/// runs except inside `observe`. Borrows the image store.
class Observer {
public:
    Observer(job::Job job, target::ImageStore& images, ObserverOptions options);
    /// Looks at core files instead of processes: they stand still for ever.
    Observer(job::CoreJob job, target::ImageStore& images, ObserverOptions options);
    ~Observer();
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    /// Reads maps and symbols of the ranks, chooses the debugger DLL and has it
    /// resolve its layouts, all while the job runs.
    /// Fails if no rank can be looked at: the message is that of the first rank. Fails
    /// with InvalidArgument if a type donor of the options does not fit.
    Result<Done> prepare();

    /// From now on only these ranks are stopped and read; the others are in each snapshot
    /// as unreadable, with a problem that says so.
    void look_only_at(std::span<const model::WorldRank> ranks);

    /// One look. Ranks that cannot be read are in the snapshot with a problem.
    model::JobSnapshot observe();

    /// The processes that a look stops, in the order in which it stops them.
    std::vector<pid_t> pids() const;

    /// One look at ranks that the caller has stopped, all of `pids()` in that order, and
    /// that stay stopped.
    model::JobSnapshot observe(target::StoppedProcesses& held);

    /// The stack of one rank, which is stopped alone for the moment of the copy.
    /// InvalidArgument: there is no such rank; TargetExited, PermissionDenied, System: it cannot be
    /// looked at.
    Result<RankStack> stack_of(model::WorldRank rank);
    /// The same of ranks that the caller has stopped, as in `observe`.
    Result<RankStack> stack_of(model::WorldRank rank, const target::StoppedProcesses& held);

    const job::Job& job() const { return job_; }

private:
    struct Target;

    static Result<Done> open(Target& target, target::ImageStore& images);
    mqs_host::HostedProcess hosted(const Target& target) const;
    void choose_dll();
    void describe_job(model::JobSnapshot& snapshot) const;
    /// Why a rank has no queues, saying so where debug information would not help.
    Error name_device(const Target& target, Error error) const;
    bool is_wanted(std::size_t target) const { return wanted_.empty() || wanted_[target]; }
    /// Those of targets_ that can, and are to, be looked at.
    std::vector<std::size_t> chosen() const;
    /// The threads of a rank that stands still, or why it does not.
    using Threads = Result<std::vector<target::StoppedThread>>;
    Threads threads_of(const Target& target) const;
    /// `threads`: of each of `chosen()`.
    void capture(std::span<const Threads* const> threads,
                 model::JobSnapshot& snapshot,
                 std::vector<CapturedRank>& captured);
    Result<const Target*> find_target(model::WorldRank rank) const;
    void copy_stack(const Target& target,
                    const target::StoppedThread& thread,
                    CapturedRank& captured);
    Result<CapturedRank> copy_stacks(const Target& target,
                                     const Result<std::vector<target::StoppedThread>>& threads);
    static void capture_without_stack(std::span<const target::StoppedThread> threads,
                                      model::RankSnapshot& rank,
                                      CapturedRank& captured);
    void read_queues(const std::vector<std::size_t>& stopped, model::JobSnapshot& snapshot);
    /// Lets the ranks go on the way; null: they are the caller's.
    void read_activity(const std::vector<CapturedRank>& captured,
                       target::StoppedProcesses* to_release,
                       model::JobSnapshot& snapshot);
    void look_at(target::StoppedProcesses& stopped, bool held, model::JobSnapshot& snapshot);
    void look_at_cores(model::JobSnapshot& snapshot);

    job::Job job_;
    bool of_cores_ = false;
    target::ImageStore& images_;
    ObserverOptions options_;
    std::vector<Target> targets_;
    std::vector<bool> wanted_;  ///< by target; empty: all
    TypeSources types_;
    std::string dll_;
    std::vector<std::string> problems_;
    ActivityReader activity_reader_;
    target::PythonStacks python_;
};

}  // namespace mqinspect::snapshot

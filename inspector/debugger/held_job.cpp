#include "inspector/debugger/held_job.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "inspector/debugger/held_ranks.h"
#include "inspector/mqs_host/assemble.h"
#include "inspector/mqs_host/dll_search.h"
#include "inspector/mqs_host/mpich_dll.h"
#include "inspector/snapshot/decode.h"
#include "inspector/snapshot/from_calls.h"
#include "inspector/snapshot/mpi_version.h"
#include "inspector/snapshot/thread_calls.h"

namespace mqinspect::debugger {

namespace {

/// The variables of one thread, as the debugger reads them.
class HeldVariables final : public snapshot::FrameVariables {
public:
    HeldVariables(const HeldProcess& process, std::size_t thread)
        : process_(process), thread_(thread) {}

    snapshot::RawArgument variable(std::size_t frame, const std::string& name) const override {
        return process_.variable(thread_, frame, name);
    }
    std::vector<std::string> parameters(std::size_t frame) const override {
        return process_.parameters(thread_, frame);
    }

private:
    const HeldProcess& process_;
    std::size_t thread_;
};

model::Frame described(const HeldFrame& held) {
    return {
        .pc = held.pc, .function = held.function, .image = held.image, .location = held.location};
}

/// A thread and the call that it is in.
struct CallingThread {
    std::optional<snapshot::RawCall> call;
    model::SourceLocation location;  ///< of the call
    snapshot::Doing doing = snapshot::Doing::Running;
};

CallingThread read_thread(const HeldProcess& process, const HeldThread& held, std::size_t number) {
    CallingThread thread;
    const auto& frames = held.frames;
    const auto site = snapshot::find_call_site(frames.size(), [&](std::size_t i) {
        return snapshot::FrameIdentity{.function = frames[i].function,
                                       .of_mpi_library = frames[i].of_mpi_library,
                                       .of_program = frames[i].of_program};
    });
    if (site) {
        thread.call = snapshot::read_call(process, HeldVariables(process, number), process, *site);
        if (site->user_frame < frames.size()) thread.location = frames[site->user_frame].location;
        thread.doing = snapshot::doing_in(*site);
    } else if (!frames.empty()) {
        const bool in_library = std::ranges::any_of(frames, [](const HeldFrame& frame) {
            return frame.of_mpi_library && !frame.of_program;
        });
        thread.doing =
            snapshot::doing_outside_calls(described(frames.front()), number == 0, in_library);
    }
    return thread;
}

void read_activity(const HeldProcess& process,
                   const model::JobSnapshot& snapshot,
                   const snapshot::RankOperations& operations,
                   model::RankSnapshot& rank) {
    std::vector<HeldThread> held = process.threads();
    rank.signal = process.signal();
    // Of a process that a fault has ended only the thread that ran into it counts.
    if (rank.signal && model::is_own_doing(*rank.signal) && !held.empty()) held.resize(1);
    if (held.empty()) {
        rank.problem = "the debugger shows no thread of it";
        return;
    }
    std::vector<CallingThread> threads;
    std::vector<snapshot::Doing> doings;
    for (std::size_t i = 0; i < held.size(); ++i) {
        threads.push_back(read_thread(process, held[i], i));
        doings.push_back(threads.back().doing);
    }
    const auto doing = snapshot::doing_of_rank(doings, threads.front().call.has_value());
    rank.state = doing.blocked ? model::RankState::Blocked : model::RankState::Running;
    for (const HeldFrame& frame : held[doing.reported].frames)
        rank.stack.push_back(described(frame));
    const auto decoded = [&](const CallingThread& thread) {
        model::Call call = snapshot::decode_call(*thread.call, snapshot, rank, operations);
        call.location = thread.location;
        return call;
    };
    const CallingThread& reported = threads[doing.reported];
    if (!reported.call) return;
    rank.call = decoded(reported);
    for (std::size_t k = 0; doing.blocked && k < doing.also_waiting.size(); ++k)
        rank.more_calls.push_back(decoded(threads[doing.also_waiting[k]]));
}

model::JobSnapshot describe(std::span<const HeldProcess* const> held, const HeldRanks& ranks) {
    model::JobSnapshot snapshot;
    int size = 0;
    for (const int world : ranks.world_sizes)
        size += world;
    snapshot.ranks.resize(static_cast<std::size_t>(size));
    for (int number = 0; number < size; ++number) {
        model::RankSnapshot& rank = snapshot.ranks[static_cast<std::size_t>(number)];
        rank.rank = model::WorldRank(number);
        rank.problem = "not held by this debugger";
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        model::RankSnapshot& rank = snapshot.ranks[ranks.processes[i].rank.index()];
        rank.pid = held[i]->pid();
        rank.problem.clear();
    }
    if (ranks.world_sizes.size() > 1) snapshot.world_sizes = ranks.world_sizes;
    snapshot.mpi = snapshot::describe_mpi(*held.front(), *held.front());
    return snapshot;
}

void read_queues(const HeldRanks& ranks,
                 const HeldJobOptions& options,
                 model::JobSnapshot& snapshot) {
    std::vector<Result<mqs_host::HostedQueues>> queues(
        snapshot.ranks.size(), Error{ErrorCode::TargetExited, "was not asked for its queues"});
    const auto& first = ranks.processes.front();
    const auto choice = mqs_host::choose_dll(*first.view, *first.memory, options.dll);
    if (choice) {
        snapshot.dll = choice->path;
        snapshot.problems = choice->notes;
        mqs_host::HostOptions host_options;
        host_options.show_internal = options.show_internal;
        host_options.patience = options.dll_patience;
        auto report = mqs_host::read_queues(choice->path, ranks.processes, host_options);
        if (!report) snapshot.problems.push_back(report.error().message);
        for (std::size_t i = 0; report && i < ranks.processes.size(); ++i) {
            const auto& process = ranks.processes[i];
            auto& rank = queues[process.rank.index()] = std::move(report->ranks[i]);
            if (rank) mqs_host::correct_foreign_dll(process, options.show_internal, *rank);
        }
    } else {
        snapshot.problems.push_back(choice.error().message);
    }
    mqs_host::assemble(queues, snapshot);
}

/// Could a message between the ranks of a core be under way, so that none of them has it?
/// A rank that says how many packets it has not looked at would have told.
bool may_be_under_way(std::span<const HeldProcess* const> held,
                      const model::JobSnapshot& snapshot,
                      const analysis::Verdict& verdict) {
    if (std::ranges::none_of(held, &HeldProcess::alive)) return false;
    const auto tells = [&](model::WorldRank rank) {
        return snapshot.ranks[rank.index()].incoming_count.has_value();
    };
    return std::ranges::any_of(verdict.cores, [&](const analysis::Core& core) {
        return !std::ranges::all_of(core.ranks, tells);
    });
}

/// As if the job had been seen in another state before.
analysis::Verdict only_suspected(const model::JobSnapshot& snapshot) {
    model::JobSnapshot before = snapshot;
    for (model::RankSnapshot& rank : before.ranks) {
        rank.call_identity = 0;
        rank.progress_count.reset();
    }
    return analysis::analyze_confirmed(before, snapshot);
}

}  // namespace

Result<session::Findings> look_at_held(std::span<const HeldProcess* const> held,
                                       const HeldJobOptions& options) {
    if (held.empty()) {
        return Error{ErrorCode::InvalidArgument, "the debugger holds no process"};
    }
    const auto start = std::chrono::steady_clock::now();
    const HeldRanks ranks = TRY(find_ranks(held));
    session::Findings findings;
    model::JobSnapshot& snapshot = findings.snapshot;
    snapshot = describe(held, ranks);
    read_queues(ranks, options, snapshot);
    const auto operations = snapshot::RankOperations::index(snapshot);
    for (std::size_t i = 0; i < held.size(); ++i) {
        const std::size_t rank = ranks.processes[i].rank.index();
        read_activity(*held[i], snapshot, operations[rank], snapshot.ranks[rank]);
    }
    snapshot::complete_operations(snapshot);
    snapshot::name_functions(snapshot);
    findings.verdict = analysis::analyze(snapshot);
    if (may_be_under_way(held, snapshot, findings.verdict)) {
        findings.verdict = only_suspected(snapshot);
    }
    snapshot.total_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return findings;
}

}  // namespace mqinspect::debugger

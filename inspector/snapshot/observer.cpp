#include "inspector/snapshot/observer.h"

#include <algorithm>
#include <optional>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "inspector/mqs_host/assemble.h"
#include "inspector/mqs_host/dll_search.h"
#include "inspector/mqs_host/mpich_dll.h"
#include "inspector/mqs_host/operation.h"
#include "inspector/snapshot/decode.h"
#include "inspector/snapshot/from_calls.h"
#include "inspector/snapshot/job_problems.h"
#include "inspector/snapshot/mpi_version.h"

namespace mqinspect::snapshot {

namespace {

/// Stacks are unwound while the ranks stand, up to this long after the stop: ranks
/// that poll take the processors again as soon as they are let go, and what took
/// a few milliseconds then takes as many as there are ranks to a core. What is
/// left, such as debug information seen for the first time, is read from the
/// copies while the job runs.
constexpr double kStandstillMs = 40;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

}  // namespace

/// What is known of one rank's process, by rank.
struct Observer::Target {
    job::JobProcess process;
    std::optional<target::ProcessView> view;
    std::unique_ptr<target::CoreFile> core;  ///< null: a process, alive when it was found
    std::unique_ptr<target::Memory> memory;
    std::optional<Error> failure;  ///< why it cannot be looked at
};

Observer::Observer(job::Job job, target::ImageStore& images, ObserverOptions options)
    : job_(std::move(job)), images_(images), options_(std::move(options)) {
    for (const job::JobProcess& process : job_.processes) {
        targets_.push_back({process, std::nullopt, nullptr, nullptr, std::nullopt});
    }
}

Observer::Observer(job::CoreJob job, target::ImageStore& images, ObserverOptions options)
    : Observer(std::move(job.job), images, std::move(options)) {
    of_cores_ = true;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (!job.cores[i]) continue;
        targets_[i].view = std::move(job.cores[i]->view);
        targets_[i].memory = std::move(job.cores[i]->memory);
        targets_[i].core = std::move(job.cores[i]->core);
    }
}

Observer::~Observer() = default;

Result<Done> Observer::open(Target& target, target::ImageStore& images) {
    target.view = TRY(target::ProcessView::create(target.process.pid, images));
    target.memory = TRY(target::LiveMemory::open(target.process.pid));
    return Done{};
}

Result<Done> Observer::prepare() {
    types_ = TRY(TypeSources::find(options_.types, images_));
    const Error* first_failure = nullptr;
    bool any = false;
    for (Target& target : targets_) {
        const job::JobProcess& process = target.process;
        if (target.core) {
            any = true;
            TRY(types_.lend(*target.view, *target.memory));
            continue;
        }
        if (!process.alive || !process.local || process.pid <= 0) continue;
        const auto opened = open(target, images_);
        if (opened) {
            any = true;
            TRY(types_.lend(*target.view, *target.memory));
            continue;
        }
        target.failure = opened.error();
        if (first_failure == nullptr) first_failure = &*target.failure;
    }
    if (!any && first_failure != nullptr) return *first_failure;
    if (!any) return Error{ErrorCode::TargetExited, "no process of the job runs on this host"};
    choose_dll();
    return Done{};
}

mqs_host::HostedProcess Observer::hosted(const Target& target) const {
    mqs_host::HostedProcess process;
    process.rank = target.process.rank;
    process.view = &*target.view;
    process.memory = target.memory.get();
    int first = 0;
    for (const int size : job_.world_sizes) {
        if (process.rank.value >= first && process.rank.value < first + size) {
            process.world_first = first;
            process.world_size = size;
        }
        first += size;
    }
    return process;
}

void Observer::choose_dll() {
    const auto first =
        std::ranges::find_if(targets_, [](const Target& t) { return t.memory != nullptr; });
    const auto choice = mqs_host::choose_dll(*first->view, *first->memory, options_.dll);
    if (!choice) {
        problems_.push_back(choice.error().message);
        return;
    }
    dll_ = choice->path;
    problems_.insert(problems_.end(), choice->notes.begin(), choice->notes.end());
    const mqs_host::HostedProcess process = hosted(*first);
    mqs_host::HostOptions host_options;
    host_options.patience = options_.dll_patience;
    host_options.set_up_only = true;
    // Its failures come again, with the rank that has them, when queues are read.
    static_cast<void>(mqs_host::read_queues(dll_, std::span(&process, 1), host_options));
}

void Observer::describe_job(model::JobSnapshot& snapshot) const {
    if (job_.launcher_pid != 0) {
        snapshot.launcher = fmt::format("{}, pid {}", job_.launcher_name, job_.launcher_pid);
        for (const pid_t pid : job_.other_launchers)
            snapshot.launcher += fmt::format(" and {}", pid);
    }
    std::set<std::string> hosts;
    for (const Target& target : targets_) {
        model::RankSnapshot rank;
        rank.rank = target.process.rank;
        rank.pid = target.process.pid;
        rank.host = target.process.host;
        rank.problem = target.process.problem;
        if (!target.process.alive) rank.state = model::RankState::Exited;
        if (target.process.alive && !is_wanted(snapshot.ranks.size())) {
            rank.problem = "not looked at, as was asked for";
        }
        if (!target.process.local && !rank.host.empty()) {
            rank.problem = fmt::format("runs on {}; only ranks on this host are read", rank.host);
        }
        if (!rank.host.empty()) hosts.insert(rank.host);
        if (snapshot.mpi.empty() && target.memory) {
            snapshot.mpi = describe_mpi(*target.view, *target.memory);
        }
        snapshot.ranks.push_back(std::move(rank));
    }
    snapshot.hosts.assign(hosts.begin(), hosts.end());
    snapshot.dll = dll_;
    snapshot.types = types_.used();
    if (job_.world_sizes.size() > 1) snapshot.world_sizes = job_.world_sizes;
    snapshot.problems = job_.problems;
    snapshot.problems.insert(snapshot.problems.end(), problems_.begin(), problems_.end());
}

void Observer::look_only_at(std::span<const model::WorldRank> ranks) {
    wanted_.assign(targets_.size(), false);
    for (const model::WorldRank rank : ranks) {
        if (rank.value >= 0 && rank.index() < wanted_.size()) wanted_[rank.index()] = true;
    }
}

std::vector<std::size_t> Observer::chosen() const {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (is_wanted(i) && !targets_[i].failure && targets_[i].memory) chosen.push_back(i);
    }
    return chosen;
}

std::vector<pid_t> Observer::pids() const {
    std::vector<pid_t> pids;
    for (const std::size_t i : chosen())
        pids.push_back(targets_[i].process.pid);
    return pids;
}

void Observer::copy_stack(const Target& target,
                          const target::StoppedThread& thread,
                          CapturedRank& captured) {
    auto copy = target::capture_thread(*target.view, *target.memory, thread.tid, thread.registers);
    if (!copy) return;
    copy->python = python_.read(*target.view, *target.memory, thread.registers.fs_base);
    captured.threads.push_back(*std::move(copy));
}

/// Copies registers, stacks and queues.
void Observer::capture(std::span<const Threads* const> threads,
                       model::JobSnapshot& snapshot,
                       std::vector<CapturedRank>& captured) {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (!targets_[i].failure || !is_wanted(i)) continue;
        const bool gone = targets_[i].failure->code == ErrorCode::TargetExited;
        snapshot.ranks[i].state = gone ? model::RankState::Exited : model::RankState::Unreadable;
        snapshot.ranks[i].problem = targets_[i].failure->message;
    }
    const std::vector<std::size_t> chosen = this->chosen();
    std::vector<std::size_t> readable;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::size_t i = chosen[k];
        const Threads& stopped = *threads[k];
        if (!stopped) {
            const bool gone = stopped.error().code == ErrorCode::TargetExited;
            snapshot.ranks[i].state =
                gone ? model::RankState::Exited : model::RankState::Unreadable;
            snapshot.ranks[i].problem = stopped.error().message;
            continue;
        }
        for (const target::StoppedThread& thread : *stopped) {
            copy_stack(targets_[i], thread, captured[i]);
            snapshot.ranks[i].suspended |= thread.suspended;
        }
        if (captured[i].threads.empty() && targets_[i].core) {
            capture_without_stack(*stopped, snapshot.ranks[i], captured[i]);
        }
        readable.push_back(i);
    }
    read_queues(readable, snapshot);
}

/// Where a rank died is known without its stack; what else it did is not.
void Observer::capture_without_stack(std::span<const target::StoppedThread> threads,
                                     model::RankSnapshot& rank,
                                     CapturedRank& captured) {
    rank.problem = "its core file does not hold its stack";
    if (!rank.signal || !model::is_own_doing(*rank.signal) || threads.empty()) return;
    captured.threads.push_back({.tid = threads.front().tid,
                                .registers = threads.front().registers,
                                .stack_start = 0,
                                .stack = {}});
}

void Observer::read_queues(const std::vector<std::size_t>& stopped, model::JobSnapshot& snapshot) {
    std::vector<Result<mqs_host::HostedQueues>> queues(
        targets_.size(), Error{ErrorCode::TargetExited, "not stopped"});
    if (!dll_.empty() && !stopped.empty()) {
        std::vector<mqs_host::HostedProcess> processes;
        processes.reserve(stopped.size());
        for (const std::size_t i : stopped) {
            processes.push_back(hosted(targets_[i]));
        }
        // Peers that are not looked at have numbers all the same.
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            if (is_wanted(i) || targets_[i].failure || !targets_[i].memory) continue;
            processes.push_back(hosted(targets_[i]));
            processes.back().asked = false;
        }
        mqs_host::HostOptions host_options;
        host_options.show_internal = options_.show_internal;
        host_options.patience = options_.dll_patience;
        auto report = mqs_host::read_queues(dll_, processes, host_options);
        if (report) {
            for (std::size_t k = 0; k < stopped.size(); ++k) {
                auto& rank = queues[stopped[k]] = std::move(report->ranks[k]);
                if (!rank) rank = name_device(targets_[stopped[k]], rank.error());
                if (rank) {
                    mqs_host::correct_foreign_dll(processes[k], options_.show_internal, *rank);
                }
            }
        } else {
            snapshot.problems.push_back(report.error().message);
        }
    }
    mqs_host::assemble(queues, snapshot);
    note_foreign_processes(queues, snapshot);
    state_once(queues, stopped, snapshot);
}

/// Debug symbols alone do not help where UCX matches the messages.
Error Observer::name_device(const Target& target, Error error) const {
    if (error.code != ErrorCode::MissingDebugInfo || !options_.dll.empty()) return error;
    const std::string device = text_at(*target.view, *target.memory, "MPII_Version_device");
    const target::Module* library = target.view->mpi_module();
    if (!device.starts_with("ch4:ucx") || library == nullptr) return error;
    error.message = fmt::format(
        "the message queues of {} cannot be read: it is {}, without debug information, and this "
        "device leaves the messages to UCX; start the job with 'mqinspect record -o DIR -- "
        "COMMAND', or with an MPICH configured --with-device=ch3:nemesis --enable-debuginfo "
        "--enable-g=dbg and not stripped "
        "(scripts/build-mpich of mqinspect builds one)",
        library->image->path(),
        describe_mpi(*target.view, *target.memory));
    return error;
}

void Observer::read_activity(const std::vector<CapturedRank>& captured,
                             target::StoppedProcesses* to_release,
                             model::JobSnapshot& snapshot) {
    const auto operations = RankOperations::index(snapshot);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (to_release != nullptr && to_release->stopped_ms() >= kStandstillMs) {
            to_release->release();
        }
        if (captured[i].threads.empty()) continue;
        model::RankSnapshot& rank = snapshot.ranks[i];
        RankActivity activity =
            activity_reader_.read(*targets_[i].view, *targets_[i].memory, captured[i]);
        rank.state = activity.blocked ? model::RankState::Blocked : model::RankState::Running;
        for (target::MergedFrame& merged : activity.stack)
            rank.stack.push_back(std::move(merged.frame));
        rank.call_identity = activity.call_identity;
        if (rank.problem.empty()) rank.problem = activity.problem;
        if (!activity.call) continue;
        rank.call = decode_call(*activity.call, snapshot, rank, operations[i]);
        rank.call->location = activity.location;
        for (std::size_t k = 0; activity.blocked && k < activity.more_calls.size(); ++k) {
            rank.more_calls.push_back(
                decode_call(activity.more_calls[k], snapshot, rank, operations[i]));
            rank.more_calls.back().location = activity.more_locations[k];
        }
    }
    if (to_release != nullptr) to_release->release();
    complete_operations(snapshot);
    name_functions(snapshot);
}

model::JobSnapshot Observer::observe() {
    const auto start = std::chrono::steady_clock::now();
    model::JobSnapshot snapshot;
    describe_job(snapshot);
    if (of_cores_) {
        look_at_cores(snapshot);
        snapshot.total_ms = milliseconds_since(start);
        return snapshot;
    }
    auto stopped = target::StoppedProcesses::stop(pids());
    look_at(stopped, false, snapshot);
    snapshot.total_ms = milliseconds_since(start);
    return snapshot;
}

model::JobSnapshot Observer::observe(target::StoppedProcesses& held) {
    const auto start = std::chrono::steady_clock::now();
    model::JobSnapshot snapshot;
    describe_job(snapshot);
    look_at(held, true, snapshot);
    snapshot.total_ms = milliseconds_since(start);
    return snapshot;
}

Result<const Observer::Target*> Observer::find_target(model::WorldRank rank) const {
    const auto found = std::ranges::find_if(
        targets_, [rank](const Target& target) { return target.process.rank == rank; });
    if (found == targets_.end()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("no rank {}; there are 0 to {}", rank.value, targets_.size() - 1)};
    }
    if (!is_wanted(static_cast<std::size_t>(found - targets_.begin()))) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("rank {} is not looked at, as was asked for", rank.value)};
    }
    if (found->failure) return *found->failure;
    if (found->memory) return &*found;
    const job::JobProcess& process = found->process;
    if (of_cores_) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("rank {}: {}", rank.value, process.problem)};
    }
    if (!process.alive)
        return Error{ErrorCode::TargetExited, fmt::format("rank {} has ended", rank.value)};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("rank {} runs on {}; only ranks on this host are read",
                             rank.value,
                             process.host.empty() ? "another host" : process.host)};
}

Result<CapturedRank> Observer::copy_stacks(
    const Target& target, const Result<std::vector<target::StoppedThread>>& threads) {
    if (!threads) return threads.error();
    CapturedRank captured;
    for (const target::StoppedThread& thread : *threads)
        copy_stack(target, thread, captured);
    if (captured.threads.empty()) {
        return Error{ErrorCode::BadAddress,
                     fmt::format("the stack of rank {} cannot be read", target.process.rank.value)};
    }
    return captured;
}

Result<RankStack> Observer::stack_of(model::WorldRank rank) {
    const Target* target = TRY(find_target(rank));
    if (target->core) {
        CapturedRank captured = TRY(copy_stacks(*target, threads_of(*target)));
        return RankStack(*target->view, *target->memory, std::move(captured), activity_reader_);
    }
    // A rank stops when it next has a processor. Where ranks that poll share one, it has it
    // soonest if they all stop.
    std::vector<pid_t> pids{target->process.pid};
    if (const auto all = this->pids(); all.size() > std::thread::hardware_concurrency()) {
        pids.insert(pids.end(), all.begin(), all.end());
        pids.erase(std::find(pids.begin() + 1, pids.end(), pids.front()));
    }
    auto stopped = target::StoppedProcesses::stop(pids);
    CapturedRank captured = TRY(copy_stacks(*target, stopped.threads(0)));
    stopped.release();
    return RankStack(*target->view, *target->memory, std::move(captured), activity_reader_);
}

Result<RankStack> Observer::stack_of(model::WorldRank rank, const target::StoppedProcesses& held) {
    const Target* target = TRY(find_target(rank));
    const std::vector<std::size_t> chosen = this->chosen();
    const auto position =
        std::ranges::find_if(chosen, [&](std::size_t i) { return &targets_[i] == target; });
    const auto k = static_cast<std::size_t>(position - chosen.begin());
    CapturedRank captured = TRY(copy_stacks(*target, held.threads(k)));
    return RankStack(*target->view, *target->memory, std::move(captured), activity_reader_);
}

void Observer::look_at(target::StoppedProcesses& stopped, bool held, model::JobSnapshot& snapshot) {
    std::vector<CapturedRank> captured(targets_.size());
    std::vector<const Threads*> threads;
    const std::size_t count = chosen().size();
    threads.reserve(count);
    for (std::size_t k = 0; k < count; ++k)
        threads.push_back(&stopped.threads(k));
    capture(threads, snapshot, captured);
    read_activity(captured, held ? nullptr : &stopped, snapshot);
    snapshot.stopped_ms = stopped.stopped_ms();
}

/// Of a process that a fault has ended only the thread that ran into it counts: it is
/// what the rank was doing. Else all do, the main thread first.
Observer::Threads Observer::threads_of(const Target& target) const {
    const auto& signal = target.core->signal();
    std::vector<target::StoppedThread> threads = target.core->threads();
    if (signal && model::is_own_doing(*signal)) {
        threads.resize(1);
        return threads;
    }
    const auto main = std::ranges::find(threads, target.core->pid(), &target::StoppedThread::tid);
    if (main != threads.end()) std::rotate(threads.begin(), main, main + 1);
    return threads;
}

void Observer::look_at_cores(model::JobSnapshot& snapshot) {
    std::vector<Threads> threads;
    for (const std::size_t i : chosen()) {
        snapshot.ranks[i].signal = targets_[i].core->signal();
        threads.push_back(threads_of(targets_[i]));
    }
    std::vector<const Threads*> places;
    places.reserve(threads.size());
    for (const Threads& each : threads)
        places.push_back(&each);
    std::vector<CapturedRank> captured(targets_.size());
    capture(places, snapshot, captured);
    read_activity(captured, nullptr, snapshot);
}

}  // namespace mqinspect::snapshot

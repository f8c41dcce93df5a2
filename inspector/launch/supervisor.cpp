#include "inspector/launch/supervisor.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "analysis/deadlock.h"
#include "inspector/job/job.h"
#include "inspector/job/process_table.h"
#include "inspector/target/process_status.h"

namespace mqinspect::launch {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestPeriod{10};
constexpr milliseconds kLongestPeriod{1000};
/// A search costs milliseconds of processor time, more on a large machine.
constexpr milliseconds kShortestSearchPause{100};
constexpr milliseconds kLongestSearchPause{5000};
/// Signals to a process group reach its members within this time.
constexpr milliseconds kGroupDelay{100};
/// A launcher that is asked to end takes its ranks with it, in this time.
constexpr milliseconds kTimeToEnd{5000};

/// From the start of a rank to its place in the launcher's table.
constexpr milliseconds kTimeToStart{2000};

constexpr int kMostCrashesNoted = 16;

UniqueFd open_process(pid_t pid) {
    // Not the wrapper: the header of glibc 2.36 declares it without C linkage.
    return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

std::string place_of(const std::vector<model::Frame>& stack) {
    for (const model::Frame& frame : stack) {
        if (frame.location.file.empty()) continue;
        return fmt::format(" in {} at {}:{}",
                           frame.function,
                           job::base_name(frame.location.file),
                           frame.location.line);
    }
    return stack.empty() || stack.front().function.empty()
               ? std::string()
               : fmt::format(" in {}", stack.front().function);
}

/// By job control, seen through the eyes of its tracer or without one. A thread that is
/// traced also stands for a moment at each of its signals.
bool is_stopped(pid_t pid) {
    const auto status = target::read_process_status(pid);
    return status && (status->state == 'T' || status->state == 't');
}

}  // namespace

Supervisor::Supervisor(SupervisorOptions options)
    : options_(std::move(options)),
      period_(std::clamp(options_.hang_after / 20, kShortestPeriod, kLongestPeriod)),
      images_(target::default_image_cache()),
      launch_(images_, options_.note),
      counters_(images_),
      judge_(options_.hang_after),
      search_pause_(kShortestSearchPause) {}

Result<Done> Supervisor::start(const std::vector<std::string>& command) {
    TRY(launch_.start(command));
    signals_.emplace();
    return Done{};
}

Outcome Supervisor::run() {
    const Duration longest_delay = std::max(kLongestPeriod, options_.hang_after / 4);
    auto next_tick = Clock::now();
    for (;;) {
        launch_.handle_events();
        handle_crashes();
        if (launch_.status()) break;
        const auto now = Clock::now();
        // Job control has stopped us, and perhaps the job with us.
        if (now - next_tick > longest_delay) counters_.restart(now);
        if (now >= next_tick) {
            tick(now);
            next_tick = Clock::now() + period_;
        }
        hand_on_late(Clock::now());
        wait_until(next_tick);
    }
    if (!saw_job_ && !launch_.had_job())
        options_.note("no MPI process was seen below the command, so none was watched");
    return {hung_, *launch_.status()};
}

void Supervisor::wait_until(Clock::time_point when) {
    for (const auto& [signal, due] : to_hand_on_)
        when = std::min(when, due);
    const int signal = signals_->wait(when - Clock::now());
    if (signal != 0) to_hand_on_.emplace_back(signal, Clock::now() + kGroupDelay);
}

/// A signal that was sent to us is meant for the job, which has it already if it was sent
/// to the whole group.
void Supervisor::hand_on_late(Clock::time_point now) {
    std::erase_if(to_hand_on_, [&](const auto& entry) {
        const auto& [signal, due] = entry;
        if (now < due) return false;
        const auto received = launch_.last_received(signal);
        if (!received || *received < due - 2 * kGroupDelay) kill(launch_.command_pid(), signal);
        return true;
    });
}

void Supervisor::tick(Clock::time_point now) {
    launch_.open_gates();
    const pid_t launcher = launch_.launcher();
    const bool lost = job_ != 0 && job_ != launcher && launcher != 0;
    const bool ended = job_ != 0 && launcher == 0 && job_ != launch_.command_pid();
    if (job_ == 0 || lost || ended) {
        if (lost || ended) counters_.watch({}, now);
        session_.reset();
        job_ = launcher;
    }
    if (job_ == 0 && !launch_.expects_job()) find_job_without_mpir(now);
    if (job_ == 0) return;
    saw_job_ = true;
    find_ranks(now);
    counters_.sample(now);
    if (judge_.look_is_due(now, counters_.ranks())) look_for_hang(now);
}

void Supervisor::find_job_without_mpir(Clock::time_point now) {
    if (now < next_search_) return;
    const pid_t pid = launch_.command_pid();
    const auto found = job::find_job(std::span(&pid, 1), images_);
    if (found) {
        job_ = pid;
        search_pause_ = kShortestSearchPause;
        return;
    }
    search_pause_ = std::min(search_pause_ * 2, kLongestSearchPause);
    next_search_ = Clock::now() + search_pause_;
}

void Supervisor::find_ranks(Clock::time_point now) {
    const bool changed = known_generation_ != launch_.generation();
    if (changed) search_pause_ = std::min(search_pause_, kShortestSearchPause);
    if (!(changed || counters_.incomplete()) || now < next_search_) return;
    known_generation_ = launch_.generation();
    const auto found = job::find_job(std::span(&job_, 1), images_);
    std::vector<pid_t> pids;
    if (found) {
        for (const job::JobProcess& process : found->processes) {
            if (process.alive && process.local && process.pid > 0) pids.push_back(process.pid);
        }
    }
    counters_.watch(pids, now);
    search_pause_ = std::min(search_pause_ * 2, kLongestSearchPause);
    next_search_ = Clock::now() + search_pause_;
}

std::optional<session::Findings> Supervisor::look() {
    if (!session_ || session_generation_ != launch_.generation()) {
        session_.reset();
        session_generation_ = launch_.generation();
        auto attached = session::Session::attach(std::span(&job_, 1), options_.session);
        if (!attached) {
            last_failure_ = attached.error().message;
            return std::nullopt;
        }
        session_.emplace(*std::move(attached));
    }
    session::Findings findings = session_->look();
    launch_.handle_events();
    return findings;
}

bool Supervisor::are_stopped(Clock::time_point now) {
    std::vector<pid_t> stopped;
    for (const RankProgress& rank : counters_.ranks()) {
        if (is_stopped(rank.pid)) stopped.push_back(rank.pid);
    }
    if (!stopped.empty()) std::this_thread::sleep_for(kShortestPeriod);
    std::erase_if(stopped, [](pid_t pid) { return !is_stopped(pid); });
    if (stopped.empty()) {
        told_stopped_ = false;
        return false;
    }
    const bool all = stopped.size() == counters_.ranks().size();
    if (!std::exchange(told_stopped_, true)) {
        options_.note(
            fmt::format("{} of {} ranks {} stopped by a signal such as SIGSTOP, first of "
                        "them pid {}; SIGCONT lets them go on{}",
                        stopped.size(),
                        counters_.ranks().size(),
                        stopped.size() == 1 ? "is" : "are",
                        stopped.front(),
                        all ? ". That is no hang" : ""));
    }
    if (all) counters_.restart(now);
    return all;
}

void Supervisor::look_for_hang(Clock::time_point now) {
    if (are_stopped(now)) return;
    const std::string failure = last_failure_;
    const auto findings = look();
    if (!findings) {
        judge_.postpone(now);
        if (failure != last_failure_)
            options_.note(fmt::format("the job cannot be looked at: {}", last_failure_));
        return;
    }
    counters_.sample(Clock::now());
    const Judgement judgement = judge_.judge(Clock::now(), counters_.ranks(), *findings);
    if (!judge_.is_news(judgement, *findings)) return;
    const double seconds = std::chrono::duration<double>(options_.hang_after).count();
    if (judgement == Judgement::Late) {
        options_.note(fmt::format(
            "no progress for {:g} s, but no hang: {}", seconds, findings->verdict.sentence));
    } else if (judgement == Judgement::Blind) {
        options_.note(
            "all ranks wait in MPI calls; this MPI library does not tell whether they get on, so "
            "that is not called a hang");
    } else if (judgement == Judgement::Hang) {
        hung_ = true;
        options_.report(*findings);
        options_.note(
            fmt::format("the job hangs: no progress for {:g} s; {}",
                        seconds,
                        options_.kill ? "it is killed" : "it is left alone, Ctrl-C ends it"));
        if (options_.kill) end_job();
    }
}

bool Supervisor::describe(const target::TraceEvent& crash, model::JobSnapshot& snapshot) {
    const auto rank =
        std::ranges::find(snapshot.ranks, static_cast<int>(crash.pid), &model::RankSnapshot::pid);
    if (rank == snapshot.ranks.end()) return false;
    model::Signal& signal = rank->signal.emplace();
    signal.number = crash.signal;
    signal.name = model::signal_name(crash.signal);
    if (crash.address) signal.address = to_integer(*crash.address);
    signal.sender_pid = crash.sender;
    note_crash(rank->rank.value, crash, place_of(rank->stack));
    return true;
}

void Supervisor::describe_later(const target::TraceEvent& crash) {
    if (!session_ || crashes_noted_ > kMostCrashesNoted) return;
    const auto& processes = session_->job().processes;
    const auto process = std::ranges::find(processes, crash.pid, &job::JobProcess::pid);
    if (process == processes.end()) return;
    const auto stack = session_->stack_of(process->rank);
    note_crash(process->rank.value, crash, stack ? place_of(stack->frames()) : "");
}

void Supervisor::note_crash(int rank, const target::TraceEvent& crash, const std::string& place) {
    if (crashes_noted_++ >= kMostCrashesNoted) {
        if (crashes_noted_ == kMostCrashesNoted + 1)
            options_.note("further ranks crash, of which no more is said");
        return;
    }
    std::string address;
    if (crash.address) address = fmt::format(" (address {:#x})", to_integer(*crash.address));
    options_.note(fmt::format("rank {} (pid {}) crashes with signal {} ({}){}{}",
                              rank,
                              crash.pid,
                              crash.signal,
                              model::signal_name(crash.signal),
                              address,
                              place));
}

void Supervisor::handle_crashes() {
    const std::vector<target::TraceEvent> fresh = launch_.take_crashes();
    if (crashes_.empty()) first_crash_ = Clock::now();
    crashes_.insert(crashes_.end(), fresh.begin(), fresh.end());
    if (crashes_.empty()) return;
    // A rank can be faster than the launcher, which is about to say who is who.
    const bool is_early = launch_.launcher() == 0 && launch_.expects_job();
    if (is_early && Clock::now() - first_crash_ < kTimeToStart) return;
    const std::vector<target::TraceEvent> crashes = std::exchange(crashes_, {});
    // The first one tells what went wrong; the others follow from it, or are alike.
    if (reported_crash_) {
        for (const target::TraceEvent& crash : crashes)
            describe_later(crash);
    } else {
        next_search_ = Clock::now();
        if (job_ == 0) tick(next_search_);
        auto findings = job_ == 0 ? std::nullopt : look();
        if (findings) {
            for (const target::TraceEvent& crash : crashes)
                reported_crash_ = describe(crash, findings->snapshot) || reported_crash_;
            findings->verdict = analysis::analyze(findings->snapshot);
            if (reported_crash_) options_.report(*findings);
        }
    }
    for (const target::TraceEvent& crash : crashes)
        launch_.deliver(crash);
}

void Supervisor::wait_for_all(std::vector<UniqueFd>& processes, Duration limit) {
    const auto deadline = Clock::now() + limit;
    while (Clock::now() < deadline) {
        launch_.handle_events();
        for (const target::TraceEvent& crash : launch_.take_crashes())
            launch_.deliver(crash);
        std::erase_if(processes, [](const UniqueFd& process) {
            pollfd ended{process.get(), POLLIN, 0};
            return poll(&ended, 1, 0) != 0;
        });
        if (processes.empty()) return;
        signals_->wait(kShortestPeriod);
    }
}

/// Asks the launcher first, which knows of ranks on other hosts and gives its resources
/// back.
void Supervisor::end_job() {
    std::vector<pid_t> pids = job::ProcessTable::read().descendants(launch_.command_pid());
    pids.push_back(launch_.command_pid());
    std::ranges::copy(launch_.traced(), std::back_inserter(pids));
    std::ranges::sort(pids);
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    std::vector<UniqueFd> processes;
    for (const pid_t pid : pids) {
        if (auto process = open_process(pid)) processes.push_back(std::move(process));
    }
    if (job_ != launch_.command_pid()) kill(job_, SIGTERM);
    kill(launch_.command_pid(), SIGTERM);
    wait_for_all(processes, kTimeToEnd);
    for (const UniqueFd& process : processes)
        syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
    wait_for_all(processes, kTimeToEnd);
}

}  // namespace mqinspect::launch

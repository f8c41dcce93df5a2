#include "inspector/target/stop.h"

#include <dirent.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "inspector/target/process_status.h"

namespace mqinspect::target {
namespace {

using Clock = std::chrono::steady_clock;

// As a signal to deliver: interrupted, but not seen to stop. Only a stopped thread
// can be detached; the kernel detaches the others when this thread ends.
constexpr int kNotStopped = -1;

enum class State { Running, Interrupted, Stopped, Gone };

struct Tracee {
    pid_t tid = 0;
    std::size_t process = 0;
    State state = State::Running;
    int signal = 0;         // to deliver on detach
    bool lasting = false;   // this thread traces it anyway
    bool of_owner = false;  // stands in a stop that is not ours to end
    bool suspended = false;
    user_regs_struct registers{};
};

long trace(__ptrace_request request, pid_t tid, std::uintptr_t data = 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): ptrace(2) takes integers as pointers
    return ptrace(request, tid, nullptr, reinterpret_cast<void*>(data));
}

Result<std::vector<pid_t>> list_threads(pid_t pid) {
    DIR* directory = opendir(fmt::format("/proc/{}/task", pid).c_str());
    if (directory == nullptr) {
        if (errno == ENOENT || errno == ESRCH) return exited_error(pid);
        return Error{
            ErrorCode::System,
            fmt::format("cannot list the threads of process {}: {}", pid, std::strerror(errno))};
    }
    std::vector<pid_t> tids;
    while (const dirent* entry = readdir(directory)) {
        const std::string_view name = entry->d_name;
        pid_t tid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), tid);
        if (error == std::errc{} && end == name.data() + name.size()) tids.push_back(tid);
    }
    closedir(directory);
    return tids;
}

// Takes the end of a thread off the kernel's list, unless it is a process that
// the caller started: how that one ended is the caller's to learn.
void reap(pid_t tid) {
    const auto status = read_process_status(tid);
    if (status && status->parent == getpid()) return;
    int ignored = 0;
    waitpid(tid, &ignored, __WALL | WNOHANG);
}

// What our interrupt is answered with, as waitid(2) has it.
constexpr int kInterrupted = SIGTRAP | PTRACE_EVENT_STOP << 8;

// With the same event, but the signal that stopped it, a thread says that job control has.
bool is_of_job_control(int stop) {
    return stop >> 8 == PTRACE_EVENT_STOP && stop != kInterrupted;
}

bool read_registers(Tracee& tracee) {
    return trace(PTRACE_GETREGS, tracee.tid, reinterpret_cast<std::uintptr_t>(&tracee.registers)) ==
           0;
}

// Asks, without waiting, whether an interrupted thread has stopped or ended.
bool poll(Tracee& tracee) {
    siginfo_t info{};
    const int options = WSTOPPED | WEXITED | WNOHANG | WNOWAIT | __WALL;
    if (waitid(P_PID, static_cast<id_t>(tracee.tid), &info, options) != 0) {
        if (errno == EINTR) return false;
        tracee.state = State::Gone;
        return true;
    }
    if (info.si_pid == 0) return false;
    if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) {
        if (!tracee.lasting) reap(tracee.tid);
        tracee.state = State::Gone;
        return true;
    }
    tracee.suspended = is_of_job_control(info.si_status);
    if (tracee.lasting && info.si_status != kInterrupted) {
        tracee.of_owner = true;
        tracee.state = read_registers(tracee) ? State::Stopped : State::Gone;
        return true;
    }
    int status = 0;
    if (waitpid(tracee.tid, &status, __WALL | WNOHANG) != tracee.tid || !WIFSTOPPED(status))
        return false;
    // The kernel restores a stop by job control at the detach. Any stop but by
    // PTRACE_EVENT_STOP is a signal on its way to the thread.
    if (status >> 16 == 0) tracee.signal = WSTOPSIG(status);
    tracee.state = State::Stopped;
    if (!read_registers(tracee)) tracee.state = State::Gone;  // killed in between
    return true;
}

// A main thread that called pthread_exit stays a zombie that never stops.
void drop_ended(std::vector<Tracee>& tracees) {
    for (Tracee& tracee : tracees) {
        if (tracee.state != State::Interrupted) continue;
        const auto status = read_process_status(tracee.tid);
        if (!status || status->ended()) tracee.state = State::Gone;
    }
}

class Stopping {
public:
    Stopping(std::span<const pid_t> pids, std::chrono::milliseconds patience)
        : pids_(pids), errors_(pids.size()), deadline_(Clock::now() + patience) {}

    void run() {
        for (std::size_t i = 0; i < pids_.size(); ++i)
            seize_process(i);
        for (;;) {
            interrupt_new();
            wait_all();
            // Only a running thread makes another one, so a list without a new
            // thread, taken when all known ones stand, is complete.
            const std::size_t before = tracees_.size();
            for (std::size_t i = 0; i < pids_.size(); ++i) {
                if (!errors_[i]) seize_new_threads(i);
            }
            if (tracees_.size() == before) return;
        }
    }

    Result<std::vector<StoppedThread>> threads_of(std::size_t i) const {
        if (errors_[i]) return *errors_[i];
        std::vector<StoppedThread> threads;
        for (const Tracee& tracee : tracees_) {
            if (tracee.process != i || tracee.state != State::Stopped) continue;
            const StoppedThread thread{tracee.tid, tracee.registers, tracee.suspended};
            threads.insert(tracee.tid == pids_[i] ? threads.begin() : threads.end(), thread);
        }
        if (threads.empty()) return exited_error(pids_[i]);
        return threads;
    }

    bool failed(std::size_t i) const { return errors_[i].has_value(); }
    const std::vector<Tracee>& tracees() const { return tracees_; }
    std::optional<Clock::time_point> first_interrupt() const { return first_interrupt_; }

private:
    void seize_process(std::size_t i) {
        // Until a list holds no thread that is not seized: threads make threads.
        while (!errors_[i] && seize_new_threads(i)) {
        }
    }

    // True if there was a thread not seen before.
    bool seize_new_threads(std::size_t i) {
        const auto tids = list_threads(pids_[i]);
        if (!tids) {
            errors_[i] = tids.error();
            return false;
        }
        bool any = false;
        for (const pid_t tid : *tids) {
            if (seen_.contains({tid, i})) continue;
            if (!seize(i, tid)) return false;
            seen_.insert({tid, i});
            any = true;
        }
        return any;
    }

    bool seize(std::size_t i, pid_t tid) {
        if (trace(PTRACE_SEIZE, tid) == 0) {
            tracees_.push_back({.tid = tid, .process = i});
            return true;
        }
        const int error = errno;
        const auto status = read_process_status(tid);
        if (error == ESRCH || !status || status->ended()) return true;  // a thread that ended
        if (status->tracer == gettid()) {
            tracees_.push_back({.tid = tid, .process = i, .lasting = true});
            return true;
        }
        if (error == EPERM || error == EACCES) {
            errors_[i] = denied_error(pids_[i]);
        } else {
            errors_[i] = Error{ErrorCode::System,
                               fmt::format("cannot trace thread {} of process {}: {}",
                                           tid,
                                           pids_[i],
                                           std::strerror(error))};
        }
        return false;
    }

    void interrupt_new() {
        for (Tracee& tracee : tracees_) {
            if (tracee.state != State::Running) continue;
            if (!first_interrupt_) first_interrupt_ = Clock::now();
            // Registers can be read in a stop only.
            if (tracee.lasting && read_registers(tracee)) {
                tracee.of_owner = true;
                tracee.state = State::Stopped;
                continue;
            }
            tracee.state =
                trace(PTRACE_INTERRUPT, tracee.tid) == 0 ? State::Interrupted : State::Gone;
            if (tracee.state == State::Gone && !tracee.lasting) reap(tracee.tid);
        }
    }

    void wait_all() {
        // A thread that computes stops when it is next scheduled, so the pauses
        // leave it the processor.
        long pause_ns = 50'000;
        long paused_ns = 0;
        for (;;) {
            bool progress = false;
            std::size_t waiting = 0;
            for (Tracee& tracee : tracees_) {
                if (tracee.state != State::Interrupted) continue;
                if (poll(tracee)) {
                    progress = true;
                } else {
                    ++waiting;
                }
            }
            if (waiting == 0) return;
            if (Clock::now() >= deadline_) break;
            pause_ns = progress ? 50'000 : std::min(pause_ns * 2, 1'000'000L);
            const timespec pause{0, pause_ns};
            nanosleep(&pause, nullptr);
            paused_ns += pause_ns;
            if (paused_ns > 10'000'000) {
                drop_ended(tracees_);
                paused_ns = 0;
            }
        }
        for (const Tracee& tracee : tracees_) {
            if (tracee.state != State::Interrupted) continue;
            errors_[tracee.process] =
                Error{ErrorCode::System,
                      fmt::format("thread {} of process {} does not stop (uninterruptible sleep?)",
                                  tracee.tid,
                                  pids_[tracee.process])};
        }
    }

    struct SeenHash {
        std::size_t operator()(const std::pair<pid_t, std::size_t>& key) const {
            return static_cast<std::size_t>(key.first) * 31 + key.second;
        }
    };

    std::span<const pid_t> pids_;
    std::vector<std::optional<Error>> errors_;
    std::vector<Tracee> tracees_;
    std::unordered_set<std::pair<pid_t, std::size_t>, SeenHash> seen_;
    Clock::time_point deadline_;
    std::optional<Clock::time_point> first_interrupt_;
};

void detach(pid_t tid, int signal) {
    if (trace(PTRACE_DETACH, tid, static_cast<std::uintptr_t>(signal)) != 0) reap(tid);
}

}  // namespace

StoppedProcesses StoppedProcesses::stop(std::span<const pid_t> pids,
                                        std::chrono::milliseconds patience) {
    Stopping stopping(pids, patience);
    stopping.run();

    StoppedProcesses stopped;
    stopped.stopped_at_ = stopping.first_interrupt().value_or(Clock::now());
    for (std::size_t i = 0; i < pids.size(); ++i)
        stopped.threads_.push_back(stopping.threads_of(i));
    for (const Tracee& tracee : stopping.tracees()) {
        if (tracee.state == State::Gone || tracee.of_owner) continue;
        const bool stands = tracee.state == State::Stopped;
        Held held{tracee.tid, stands ? tracee.signal : kNotStopped, tracee.lasting};
        if (stands && stopping.failed(tracee.process)) {
            let_go(held);
        } else {
            stopped.held_.push_back(held);
        }
    }
    return stopped;
}

StoppedProcesses::StoppedProcesses(StoppedProcesses&& other) noexcept
    : threads_(std::move(other.threads_)),
      held_(std::exchange(other.held_, {})),
      stopped_at_(other.stopped_at_),
      released_at_(other.released_at_),
      released_(std::exchange(other.released_, true)) {}

StoppedProcesses& StoppedProcesses::operator=(StoppedProcesses&& other) noexcept {
    if (this == &other) return *this;
    release();
    threads_ = std::move(other.threads_);
    held_ = std::exchange(other.held_, {});
    stopped_at_ = other.stopped_at_;
    released_at_ = other.released_at_;
    released_ = std::exchange(other.released_, true);
    return *this;
}

StoppedProcesses::~StoppedProcesses() {
    release();
}

void StoppedProcesses::let_go(Held& held) {
    if (held.lasting) {
        // Its tracer sees, and ends, a stop that comes later.
        if (held.signal != kNotStopped) trace(PTRACE_CONT, held.tid);
        return;
    }
    if (held.signal == kNotStopped) {
        Tracee late{.tid = held.tid, .state = State::Interrupted};
        if (!poll(late) || late.state != State::Stopped) return;
        held.signal = late.signal;
    }
    detach(held.tid, held.signal);
}

void StoppedProcesses::release() {
    if (released_) return;
    for (Held& held : held_)
        let_go(held);
    held_.clear();
    released_ = true;
    released_at_ = Clock::now();
}

double StoppedProcesses::stopped_ms() const {
    const auto end = released_ ? released_at_ : Clock::now();
    return std::chrono::duration<double, std::milli>(end - stopped_at_).count();
}

}  // namespace mqinspect::target

#include "inspector/target/traced_processes.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "base/unique_fd.h"
#include "inspector/target/process_status.h"

namespace mqinspect::target {
namespace {

constexpr std::byte kBreakpoint{0xCC};  // int3
constexpr auto kFollowAll = static_cast<std::uintptr_t>(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                                                        PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC);

long trace(__ptrace_request request, pid_t tid, std::uintptr_t data = 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): ptrace(2) takes integers as pointers
    return ptrace(request, tid, nullptr, reinterpret_cast<void*>(data));
}

template <class T>
long trace_into(__ptrace_request request, pid_t tid, T& value) {
    return ptrace(request, tid, nullptr, &value);
}

Result<std::byte> read_byte(pid_t pid, Address address) {
    const UniqueFd memory{open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC)};
    std::byte value{};
    if (!memory || pread(memory.get(), &value, 1, static_cast<off_t>(to_integer(address))) != 1) {
        return Error{ErrorCode::BadAddress,
                     fmt::format("cannot read {:#x} of process {}", to_integer(address), pid)};
    }
    return value;
}

/// Where the program of a process starts (getauxval(3), AT_ENTRY).
Result<Address> entry_of(pid_t pid) {
    const std::string auxv = TRY(read_proc_file(fmt::format("/proc/{}/auxv", pid)));
    for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= auxv.size(); at += sizeof(Elf64_auxv_t)) {
        Elf64_auxv_t entry{};
        std::memcpy(&entry, auxv.data() + at, sizeof entry);
        if (entry.a_type == AT_ENTRY) return Address{entry.a_un.a_val};
    }
    return Error{ErrorCode::UnsupportedLayout,
                 fmt::format("process {} is not a program of x86-64", pid)};
}

/// Signals whose default is to end the process with a core dump, without those that
/// users send.
bool is_of_crashes(int signal) {
    constexpr std::array<int, 9> of_crashes{
        SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};
    return std::ranges::find(of_crashes, signal) != of_crashes.end();
}

bool will_kill(pid_t tid, int signal, const siginfo_t& info) {
    if (!is_of_crashes(signal)) return false;
    const auto status = read_process_status(tid);
    if (!status) return false;
    const std::uint64_t bit = std::uint64_t{1} << (signal - 1);
    if ((status->caught_signals & bit) != 0) return false;
    // Faults cannot be ignored; what a process sends can.
    return info.si_code > 0 || (status->ignored_signals & bit) == 0;
}

bool has_address(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

Result<std::vector<pid_t>> threads_of(pid_t pid) {
    DIR* directory = opendir(fmt::format("/proc/{}/task", pid).c_str());
    if (directory == nullptr) return exited_error(pid);
    std::vector<pid_t> tids;
    while (const dirent* entry = readdir(directory)) {
        if (const int tid = std::atoi(entry->d_name); tid > 0) tids.push_back(tid);
    }
    closedir(directory);
    return tids;
}

[[noreturn]] void become(const std::vector<std::string>& command,
                         int go,
                         int failure,
                         pid_t guard) {
    // Where only ancestors may trace (Yama), the guard is not one.
    if (guard > 0) prctl(PR_SET_PTRACER, static_cast<unsigned long>(guard), 0, 0, 0);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: exec's signature
    arguments.push_back(nullptr);
    char byte = 0;
    if (read(go, &byte, 1) == 1) execvp(arguments[0], arguments.data());
    const int error = errno;
    static_cast<void>(write(failure, &error, sizeof error));
    _exit(127);
}

}  // namespace

Result<pid_t> TracedProcesses::start(const std::vector<std::string>& command) {
    std::array<int, 2> go{};
    std::array<int, 2> failure{};
    if (pipe2(go.data(), O_CLOEXEC) != 0 || pipe2(failure.data(), O_CLOEXEC) != 0)
        return Error{ErrorCode::System, fmt::format("cannot start: {}", std::strerror(errno))};
    const UniqueFd go_read(go[0]);
    UniqueFd go_write(go[1]);
    const UniqueFd failure_read(failure[0]);
    UniqueFd failure_write(failure[1]);
    guard_.start();
    const pid_t pid = fork();
    if (pid < 0)
        return Error{ErrorCode::System, fmt::format("cannot start: {}", std::strerror(errno))};
    if (pid == 0) {
        go_write.reset();
        become(command, go_read.get(), failure_write.get(), guard_.pid());
    }
    failure_write.reset();
    if (trace(PTRACE_SEIZE, pid, kFollowAll) != 0) {
        const Error error = denied_error(pid);
        go_write.reset();
        waitpid(pid, nullptr, 0);
        return error.in("cannot start under control");
    }
    threads_[pid] = pid;
    int error = 0;
    if (::write(go_write.get(), "g", 1) != 1) error = errno;
    if (error == 0 && read(failure_read.get(), &error, sizeof error) == 0) return pid;
    waitpid(pid, nullptr, 0);
    threads_.erase(pid);
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("cannot run {}: {}", command.front(), std::strerror(error))};
}

Result<Done> TracedProcesses::seize(pid_t pid) {
    // Until a list holds no thread that is not seized: threads make threads.
    for (bool any = true; any;) {
        any = false;
        for (const pid_t tid : TRY(threads_of(pid))) {
            if (threads_.contains(tid)) continue;
            if (trace(PTRACE_SEIZE, tid, kFollowAll) != 0) {
                const int error = errno;
                const auto status = read_process_status(tid);
                if (error == ESRCH || !status || status->ended()) continue;
                if (status->tracer != gettid()) return denied_error(tid);
            }
            threads_[tid] = pid;
            any = true;
        }
    }
    return Done{};
}

std::vector<pid_t> TracedProcesses::processes() const {
    std::set<pid_t> pids;
    for (const auto& [tid, pid] : threads_)
        pids.insert(pid);
    return {pids.begin(), pids.end()};
}

std::optional<std::chrono::steady_clock::time_point> TracedProcesses::last_received(
    pid_t pid, int signal) const {
    const auto found = received_.find({pid, signal});
    return found == received_.end() ? std::nullopt : std::optional(found->second);
}

pid_t TracedProcesses::process_of(pid_t tid) {
    const auto known = threads_.find(tid);
    if (known != threads_.end()) return known->second;
    const auto status = read_process_status(tid);
    return threads_[tid] = status ? status->process : tid;
}

std::optional<TraceEvent> TracedProcesses::next() {
    if (!pending_.empty()) {
        const TraceEvent event = pending_.back();
        pending_.pop_back();
        return event;
    }
    int status = 0;
    for (pid_t tid = 0; (tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0;) {
        auto event = WIFSTOPPED(status) ? stopped(tid, status) : ended(tid, status);
        if (event) return event;
    }
    return std::nullopt;
}

std::optional<TraceEvent> TracedProcesses::ended(pid_t tid, int status) {
    const auto known = threads_.find(tid);
    if (known == threads_.end()) return std::nullopt;
    const pid_t pid = known->second;
    threads_.erase(known);
    to_step_.erase(tid);
    if (pid != tid) return std::nullopt;
    std::erase_if(threads_, [pid](const auto& thread) { return thread.second == pid; });
    std::erase_if(received_, [pid](const auto& entry) { return entry.first.first == pid; });
    forget_breakpoints(pid);
    return TraceEvent{.kind = TraceEvent::Kind::Ended, .pid = pid, .tid = tid, .status = status};
}

std::optional<TraceEvent> TracedProcesses::stopped(pid_t tid, int status) {
    const pid_t pid = process_of(tid);
    const int signal = WSTOPSIG(status);
    switch (status >> 16) {
        case 0:
            return before_signal(pid, tid, signal);
        case PTRACE_EVENT_STOP:
            // Of job control, where the thread stays until it is told to go on.
            trace(signal == SIGTRAP ? PTRACE_CONT : PTRACE_LISTEN, tid);
            return std::nullopt;
        case PTRACE_EVENT_EXEC: {
            unsigned long former = 0;
            trace_into(PTRACE_GETEVENTMSG, tid, former);
            if (former != static_cast<unsigned long>(tid))
                threads_.erase(static_cast<pid_t>(former));
            forget_breakpoints(pid);
            return TraceEvent{.kind = TraceEvent::Kind::Exec, .pid = pid, .tid = tid};
        }
        default:
            trace(PTRACE_CONT, tid);
            return std::nullopt;
    }
}

std::optional<TraceEvent> TracedProcesses::before_signal(pid_t pid, pid_t tid, int signal) {
    if (signal == SIGTRAP) {
        if (const auto address = at_breakpoint(pid, tid)) {
            return TraceEvent{
                .kind = TraceEvent::Kind::Breakpoint, .pid = pid, .tid = tid, .address = address};
        }
    }
    siginfo_t info{};
    trace_into(PTRACE_GETSIGINFO, tid, info);
    if (!will_kill(tid, signal, info)) {
        received_[{pid, signal}] = std::chrono::steady_clock::now();
        trace(PTRACE_CONT, tid, static_cast<std::uintptr_t>(signal));
        return std::nullopt;
    }
    TraceEvent event{.kind = TraceEvent::Kind::Crash, .pid = pid, .tid = tid, .signal = signal};
    if (has_address(signal) && info.si_code > 0)
        event.address = Address{reinterpret_cast<std::uint64_t>(info.si_addr)};  // NOLINT
    if (info.si_code <= 0 && info.si_pid != pid) event.sender = info.si_pid;
    return event;
}

void TracedProcesses::resume(pid_t tid, int signal) {
    if (to_step_.contains(tid)) {
        step_over(process_of(tid), tid, signal);
    } else {
        trace(PTRACE_CONT, tid, static_cast<std::uintptr_t>(signal));
    }
}

Result<Done> TracedProcesses::write(pid_t pid, Address address, std::span<const std::byte> bytes) {
    const UniqueFd memory{open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC)};
    const auto offset = static_cast<off_t>(to_integer(address));
    if (!memory || pwrite(memory.get(), bytes.data(), bytes.size(), offset) !=
                       static_cast<ssize_t>(bytes.size())) {
        return Error{ErrorCode::BadAddress,
                     fmt::format("cannot write to {:#x} of process {}", to_integer(address), pid)};
    }
    return Done{};
}

Result<Done> TracedProcesses::insert(pid_t pid, Address address, bool once) {
    const std::byte original = TRY(read_byte(pid, address));
    if (breakpoints_.contains({pid, address})) return Done{};
    guard_.add(pid, address, original);
    TRY(write(pid, address, std::span(&kBreakpoint, 1)));
    breakpoints_[{pid, address}] = {original, once};
    return Done{};
}

Result<Done> TracedProcesses::stop_at_entry(pid_t pid) {
    return insert(pid, TRY(entry_of(pid)), true);
}

Result<Done> TracedProcesses::set_breakpoint(pid_t pid, Address address) {
    return insert(pid, address, false);
}

void TracedProcesses::forget_breakpoints(pid_t pid) {
    std::erase_if(breakpoints_, [&](const auto& breakpoint) {
        if (breakpoint.first.first != pid) return false;
        guard_.remove(pid, breakpoint.first.second);
        return true;
    });
}

std::optional<Address> TracedProcesses::at_breakpoint(pid_t pid, pid_t tid) {
    user_regs_struct registers{};
    if (trace_into(PTRACE_GETREGS, tid, registers) != 0) return std::nullopt;
    const Address address{registers.rip - 1};
    const auto found = breakpoints_.find({pid, address});
    if (found == breakpoints_.end()) return std::nullopt;
    registers.rip = to_integer(address);
    trace_into(PTRACE_SETREGS, tid, registers);
    if (found->second.once) {
        static_cast<void>(write(pid, address, std::span(&found->second.original, 1)));
        guard_.remove(pid, address);
        breakpoints_.erase(found);
    } else {
        to_step_[tid] = address;
    }
    return address;
}

/// One instruction without the breakpoint; a signal that comes meanwhile is delivered
/// after it.
void TracedProcesses::step_over(pid_t pid, pid_t tid, int signal) {
    constexpr int max_signals = 64;
    const Address address = to_step_[tid];
    to_step_.erase(tid);
    const auto found = breakpoints_.find({pid, address});
    if (found == breakpoints_.end()) {
        trace(PTRACE_CONT, tid, static_cast<std::uintptr_t>(signal));
        return;
    }
    static_cast<void>(write(pid, address, std::span(&found->second.original, 1)));
    for (int i = 0; i < max_signals; ++i) {
        int status = 0;
        if (trace(PTRACE_SINGLESTEP, tid) != 0 || waitpid(tid, &status, __WALL) != tid) return;
        if (!WIFSTOPPED(status)) {
            if (auto event = ended(tid, status)) pending_.push_back(*event);
            return;
        }
        user_regs_struct registers{};
        trace_into(PTRACE_GETREGS, tid, registers);
        if (registers.rip != to_integer(address)) break;
        if (status >> 16 == 0 && WSTOPSIG(status) != SIGTRAP) signal = WSTOPSIG(status);
    }
    static_cast<void>(write(pid, address, std::span(&kBreakpoint, 1)));
    trace(PTRACE_CONT, tid, static_cast<std::uintptr_t>(signal));
}

}  // namespace mqinspect::target

#include "inspector/target/process_status.h"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace mqinspect::target {
namespace {

// The text after "key:" on its line, without leading blanks; empty if missing.
std::string_view field(std::string_view text, std::string_view key) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (line.size() <= key.size() || !line.starts_with(key) || line[key.size()] != ':')
            continue;
        line.remove_prefix(key.size() + 1);
        const std::size_t start = line.find_first_not_of(" \t");
        return start == std::string_view::npos ? std::string_view{} : line.substr(start);
    }
    return {};
}

template <class Integer>
Integer number(std::string_view text, int base = 10) {
    Integer value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

std::string user_name(uid_t uid) {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return entry.pw_name;
    return fmt::format("uid {}", uid);
}

// A setting of the Yama security module, 0 where there is none.
int ptrace_scope() {
    const auto text = read_proc_file("/proc/sys/kernel/yama/ptrace_scope");
    return text ? number<int>(*text) : 0;
}

}  // namespace

Result<std::string> read_proc_file(const std::string& path) {
    const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    const auto failed = [&path](int error) {
        ErrorCode code = ErrorCode::System;
        if (error == ENOENT || error == ESRCH) code = ErrorCode::TargetExited;
        if (error == EACCES || error == EPERM) code = ErrorCode::PermissionDenied;
        return Error{code, fmt::format("cannot read {}: {}", path, std::strerror(error))};
    };
    if (!fd) return failed(errno);
    std::string text;
    std::array<char, 16384> buffer;
    for (;;) {
        const ssize_t length = ::read(fd.get(), buffer.data(), buffer.size());
        if (length == 0) return text;
        if (length > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(length));
        } else if (errno != EINTR) {
            return failed(errno);
        }
    }
}

Result<ProcessStatus> read_process_status(pid_t pid) {
    auto text = read_proc_file(fmt::format("/proc/{}/status", pid));
    if (!text && text.error().code == ErrorCode::TargetExited)
        return Error{ErrorCode::TargetExited, fmt::format("there is no process {}", pid)};
    if (!text) return text.error();

    ProcessStatus status;
    const auto line = [](std::string_view rest) { return rest.substr(0, rest.find('\n')); };
    status.name = line(field(*text, "Name"));
    const std::string_view state = field(*text, "State");
    if (!state.empty()) status.state = state.front();
    status.process = number<pid_t>(field(*text, "Tgid"));
    status.parent = number<pid_t>(field(*text, "PPid"));
    status.tracer = number<pid_t>(field(*text, "TracerPid"));
    std::string_view uids = field(*text, "Uid");  // real, effective, saved, filesystem
    const std::size_t tab = uids.find('\t');
    if (tab != std::string_view::npos) uids.remove_prefix(tab + 1);
    status.uid = number<uid_t>(uids);
    status.ignored_signals = number<std::uint64_t>(field(*text, "SigIgn"), 16);
    status.caught_signals = number<std::uint64_t>(field(*text, "SigCgt"), 16);
    // Kernel threads have no memory and are children of kthreadd (or it itself).
    const bool memory = !field(*text, "VmSize").empty();
    status.kernel_thread = !memory && !status.ended() && (status.parent == 2 || pid == 2);
    return status;
}

Error exited_error(pid_t pid) {
    const auto status = read_process_status(pid);
    if (!status) return {ErrorCode::TargetExited, fmt::format("there is no process {}", pid)};
    if (status->state == 'Z') {
        return {ErrorCode::TargetExited,
                fmt::format("process {} ({}) has ended and waits for its parent {} (a zombie)",
                            pid,
                            status->name,
                            status->parent)};
    }
    return {ErrorCode::TargetExited, fmt::format("process {} ({}) is ending", pid, status->name)};
}

Error denied_error(pid_t pid) {
    const auto status = read_process_status(pid);
    if (!status) return status.error();
    if (status->ended()) return exited_error(pid);
    if (status->kernel_thread) {
        return {ErrorCode::InvalidArgument,
                fmt::format("process {} ({}) is a kernel thread", pid, status->name)};
    }
    if (status->tracer != 0) {
        const auto tracer = read_process_status(status->tracer);
        return {
            ErrorCode::System,
            fmt::format("process {} ({}) is already traced by PID {} ({}); detach that one first",
                        pid,
                        status->name,
                        status->tracer,
                        tracer ? tracer->name : "ended")};
    }
    const uid_t me = geteuid();
    if (status->uid != me) {
        return {ErrorCode::PermissionDenied,
                fmt::format("process {} ({}) belongs to {}; run as that user or as root",
                            pid,
                            status->name,
                            user_name(status->uid))};
    }
    std::string message = fmt::format("may not inspect process {} ({})", pid, status->name);
    if (const int scope = ptrace_scope(); scope != 0) {
        message += fmt::format(
            "; /proc/sys/kernel/yama/ptrace_scope is {}: as root, write 0 to it or give mqinspect "
            "CAP_SYS_PTRACE",
            scope);
    } else {
        message += "; it is not dumpable, or a sandbox forbids ptrace; try as root";
    }
    return {ErrorCode::PermissionDenied, message};
}

}  // namespace mqinspect::target

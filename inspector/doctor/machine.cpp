// What this machine and this user's rights allow.
#include <dlfcn.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/unique_fd.h"
#include "inspector/doctor/checks.h"
#include "inspector/doctor/child.h"
#include "inspector/target/image.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_status.h"
#include "inspector/target/stop.h"

namespace mqinspect::doctor {

namespace {

/// Numbers of capabilities(7) in CapEff of proc(5).
constexpr unsigned kSysPtrace = 19;
constexpr unsigned kSysNice = 23;

constexpr const char* kScopeFile = "/proc/sys/kernel/yama/ptrace_scope";

bool has_capability(unsigned number) {
    const auto status = target::read_proc_file("/proc/self/status");
    if (!status) return false;
    constexpr std::string_view key = "CapEff:\t";
    const auto place = status->find(key);
    if (place == std::string::npos) return false;
    std::uint64_t mask = 0;
    const char* digits = status->data() + place + key.size();
    std::from_chars(digits, status->data() + status->size(), mask, 16);
    return ((mask >> number) & 1U) != 0;
}

/// The first line of a file, empty if there is none.
std::string first_line(const char* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

const int kKnownValue = 0x6d7169;  // what a child of ours, a copy of us, has as well

Result<Done> stop_and_read() {
    const Child child([] {});
    const std::array pids{child.pid()};
    const auto stopped = target::StoppedProcesses::stop(pids);
    if (!stopped.threads(0)) return stopped.threads(0).error();
    const auto memory = TRY(target::LiveMemory::open(child.pid()));
    const target::Address address{reinterpret_cast<std::uint64_t>(&kKnownValue)};
    if (TRY(target::read_value<int>(*memory, address)) != kKnownValue) {
        return Error{ErrorCode::CorruptData, "memory that was read is not what is there"};
    }
    return Done{};
}

Check rights_by_scope(const std::string& scope) {
    Check check{State::Works, "jobs that run", "may be looked at if they are yours", ""};
    if (scope.empty() || scope == "0") return check;
    check.state = State::Fails;
    if (scope == "1") {
        check.finding = fmt::format(
            "may not be looked at: {} is 1, which allows only what one has started", kScopeFile);
        check.advice =
            "start jobs with 'mqinspect run', or 'sudo sysctl kernel.yama.ptrace_scope=0', or "
            "run mqinspect as root";
    } else if (scope == "2") {
        check.finding = fmt::format("may be looked at by root only: {} is 2", kScopeFile);
        check.advice = "run mqinspect as root, or 'sudo sysctl kernel.yama.ptrace_scope=0'";
    } else {
        check.finding = fmt::format("may not be looked at by anybody: {} is {}", kScopeFile, scope);
        check.advice = "this can only be changed where the machine is set up, and needs a restart";
    }
    return check;
}

/// What keeps a watchpoint from catching a store of this process, empty if it does.
std::string why_no_watchpoints() {
    static volatile std::uint64_t place = 0;
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.size = sizeof attributes;
    attributes.bp_type = HW_BREAKPOINT_W;
    attributes.bp_addr = reinterpret_cast<std::uint64_t>(&place);
    attributes.bp_len = sizeof place;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const UniqueFd file{static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC))};
    if (!file) {
        return fmt::format("perf_event_open: {}", std::generic_category().message(errno));
    }
    place = 1;
    std::uint64_t caught = 0;
    const bool known = read(file.get(), &caught, sizeof caught) == sizeof caught;
    return known && caught != 0 ? "" : "they catch nothing on this machine";
}

/// With which the recorder sees what an instruction does (tracer/control/instruction.h).
bool has_decoder() {
    void* const library = dlopen("libZydis.so.4.0", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return false;
    dlclose(library);
    return true;
}

}  // namespace

Check check_stopping() {
    const auto done = stop_and_read();
    if (done) {
        return {State::Works, "processes", "can be stopped, read and let go", ""};
    }
    return {State::Fails,
            "processes",
            "cannot be stopped and read: " + done.error().message,
            "in a container, allow the system calls ptrace and process_vm_readv (docker and "
            "podman: --cap-add SYS_PTRACE)"};
}

Check check_rights() {
    if (has_capability(kSysPtrace) && first_line(kScopeFile) != "3") {
        return {State::Works, "jobs that run", "may be looked at, whosever they are", ""};
    }
    return rights_by_scope(first_line(kScopeFile));
}

Check check_priority() {
    rlimit limit{};
    const bool allowed =
        has_capability(kSysNice) || (getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur > 0);
    if (allowed) {
        return {State::Works, "priority", "mqinspect may go before ranks that poll", ""};
    }
    return {State::Limited,
            "priority",
            "mqinspect may not go before ranks that poll: where there are more ranks than "
            "processors an answer takes seconds",
            "run it as root or with CAP_SYS_NICE, or raise 'ulimit -r' to 1"};
}

Check check_watchpoints() {
    const std::string why = why_no_watchpoints();
    if (why.empty()) {
        return {State::Works, "watchpoints", "catch what a recorded program does too early", ""};
    }
    if (has_decoder()) {
        return {State::Limited,
                "watchpoints",
                why +
                    ": the first thread of a recorded program takes single steps instead, for "
                    "some milliseconds; what other threads do too early is not seen",
                "in a container, allow the system call perf_event_open"};
    }
    return {State::Limited,
            "watchpoints",
            why + ": that a recorded program reads buffers or windows too early is not seen",
            "install libzydis4.0, with which the recorder takes single steps instead, or allow the "
            "system call perf_event_open in a container"};
}

Check check_cache() {
    namespace fs = std::filesystem;
    const fs::path folder = target::default_image_cache();
    Check check{State::Limited, "cache", "", "set MQI_CACHE to a folder that you can write"};
    if (folder.empty()) {
        check.finding = "what is read of libraries is read again each time: there is no HOME";
        return check;
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || access(folder.c_str(), W_OK) != 0) {
        check.finding =
            fmt::format("what is read of libraries is read again each time: {} cannot be written",
                        folder.string());
        return check;
    }
    return {State::Works, "cache", "in " + folder.string(), ""};
}

Check check_core_files() {
    const std::string pattern = first_line("/proc/sys/kernel/core_pattern");
    rlimit limit{};
    getrlimit(RLIMIT_CORE, &limit);
    if (!pattern.empty() && pattern.front() == '|') {
        return {State::Works, "core files", "are taken by " + pattern.substr(1), ""};
    }
    if (limit.rlim_cur == 0) {
        return {State::Limited,
                "core files",
                "a job that crashes leaves none: their size is limited to 0",
                "'ulimit -c unlimited' before the job starts, if you want to look at them"};
    }
    return {State::Works, "core files", fmt::format("are written as {}", pattern), ""};
}

}  // namespace mqinspect::doctor

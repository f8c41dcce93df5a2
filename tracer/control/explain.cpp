#include "tracer/control/explain.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tracer/recorder.h"
#include "tracer/stack/images.h"
#include "tracer/stack/python.h"

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kMostPlaces = 24;
constexpr std::size_t kPlaceBytes = 32;
constexpr int kMostWaits = 500;
constexpr long kWaitNs = 10'000'000;

/// A child of which the program never hears: no signal at its end, and no wait() finds it.
pid_t quiet_fork() {
    return static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, 0));
}

/// `MESSAGE IMAGE OFFSET...`, of scripts `:LINE`: prints the message and the place. False: it did
/// not.
bool run_helper(char* const* arguments) {
    const char* tool = getenv("MQI_RECORD_TOOL");
    if (tool == nullptr || access(tool, X_OK) != 0) return false;
    static char no_preload[] = "MQI_RECORD_HELPER=1";
    char* const environment[] = {no_preload, nullptr};
    const pid_t child = quiet_fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execve(tool, arguments, environment);
        syscall(SYS_exit_group, 127);
    }
    if (child < 0) return false;
    const timespec pause{0, kWaitNs};
    int status = 0;
    for (int i = 0; i < kMostWaits; ++i) {
        const auto done = syscall(SYS_wait4, child, &status, WNOHANG | __WALL, nullptr);
        if (done == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (done < 0 && errno != EINTR) return false;
        nanosleep(&pause, nullptr);
    }
    kill(child, SIGKILL);
    syscall(SYS_wait4, child, &status, __WALL, nullptr);
    return false;
}

void explain(char* message, const std::uint64_t* addresses, std::size_t count) {
    std::uint64_t merged[kMostPlaces];
    if (python_runs) {
        count = with_python_frames(recorder.definitions(), addresses, count, merged, kMostPlaces);
        addresses = merged;
    }
    static char offsets[kMostPlaces][kPlaceBytes];
    static char locate[] = "locate";
    static char name[] = "mqinspect";
    char* arguments[2 * kMostPlaces + 4] = {name, locate, message};
    std::size_t used = 3;
    CodeAddress first;
    for (std::size_t i = 0; i < count && i < kMostPlaces; ++i) {
        const CodeAddress place = known_code_address(addresses[i]);
        if (place.image == 0) continue;
        if (first.image == 0) first = place;
        const bool script = is_script_address(addresses[i]);
        const auto offset = static_cast<unsigned long long>(place.offset);
        snprintf(offsets[i], kPlaceBytes, script ? ":%llu" : "%#llx", offset);
        arguments[used++] = const_cast<char*>(image_path(place.image));  // NOLINT: execve's type
        arguments[used++] = offsets[i];
    }
    if (run_helper(arguments)) return;
    if (first.image == 0) {
        say("%s", message);
        return;
    }
    say("%s at %s+%#llx",
        message,
        image_path(first.image),
        static_cast<unsigned long long>(first.offset));
}

const char* meaning_of_fpe(int code) {
    switch (code) {
        case FPE_INTDIV:
            return "Integer divide by zero";
        case FPE_INTOVF:
            return "Integer overflow";
        case FPE_FLTDIV:
            return "Floating-point divide by zero";
        case FPE_FLTOVF:
            return "Floating-point overflow";
        case FPE_FLTUND:
            return "Floating-point underflow";
        case FPE_FLTINV:
            return "Invalid floating-point operation";
        default:
            return "Arithmetic error";
    }
}

const char* meaning_of(int number, int code) {
    switch (number) {
        case SIGSEGV:
            return code == SEGV_ACCERR ? "Memory that may not be accessed so" : "No memory there";
        case SIGBUS:
            return "Memory that cannot be accessed";
        case SIGFPE:
            return meaning_of_fpe(code);
        case SIGILL:
            return "Illegal instruction";
        case SIGTRAP:
            return "Trap";
        default:
            return "Aborted";
    }
}

/// Behind the name of the argument. Handles have numbers of ours, which say nothing.
template <std::size_t kBytes>
void say_value(model::ParameterKind kind, std::int64_t value, char (&out)[kBytes]) {
    if (is_handle(kind)) {
        const char* const null = value == model::kNullHandle ? ", a null handle" : "";
        snprintf(out, kBytes, "%s", value == model::kInvalidHandle ? ", which is no handle" : null);
    } else if (kind != model::ParameterKind::Buffer) {
        snprintf(out, kBytes, " %lld", static_cast<long long>(value));
    } else if (value == 0) {
        snprintf(out, kBytes, " NULL");
    } else {
        snprintf(out, kBytes, " %#llx", static_cast<unsigned long long>(value));
    }
}

}  // namespace

void explain_signal(int number,
                    int code,
                    std::uint64_t address,
                    const std::uint64_t* addresses,
                    std::size_t count) {
    static char message[256];
    int length = snprintf(message,
                          sizeof message,
                          "rank %lld: SIG%s: %s",
                          static_cast<long long>(recorder.world_rank()),
                          sigabbrev_np(number),
                          meaning_of(number, code));
    if (number != SIGABRT && number != SIGTRAP) {
        snprintf(message + length,
                 sizeof message - static_cast<std::size_t>(length),
                 ", addr=%#llx",
                 static_cast<unsigned long long>(address));
    }
    explain(message, addresses, count);
}

void explain_error(const char* call,
                   const Parameter* argument,
                   std::int64_t value,
                   const char* text,
                   const std::uint64_t* addresses,
                   std::size_t count) {
    static char message[1024];
    const auto rank = static_cast<long long>(recorder.world_rank());
    if (argument != nullptr) {
        char words[64];
        say_value(argument->kind, value, words);
        snprintf(message,
                 sizeof message,
                 "rank %lld: wrong call %s (incorrect %s%s): %s",
                 rank,
                 call,
                 argument->name,
                 words,
                 text);
    } else {
        snprintf(message, sizeof message, "rank %lld: wrong call %s: %s", rank, call, text);
    }
    explain(message, addresses, count);
}

}  // namespace mqinspect::tracer

#include "inspector/shell/run_program.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace mqinspect::shell {

Result<int> run_program(const std::vector<std::string>& command) {
    constexpr int not_found = 127;
    constexpr int signal_base = 128;
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec's signature
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        // Not with the priority that lets us look at a busy job.
        const sched_param usual{};
        sched_setscheduler(0, SCHED_OTHER, &usual);
        execvp(arguments.front(), arguments.data());
        _exit(not_found);
    }
    int status = 0;
    pid_t ended = child;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    if (ended < 0) {
        return Error{ErrorCode::System,
                     fmt::format("cannot run {}: {}", command.front(), std::strerror(errno))};
    }
    if (WIFSIGNALED(status)) return signal_base + WTERMSIG(status);
    if (WEXITSTATUS(status) == not_found) {
        return Error{ErrorCode::System,
                     fmt::format("cannot run {}: it is not installed", command.front())};
    }
    return WEXITSTATUS(status);
}

}  // namespace mqinspect::shell

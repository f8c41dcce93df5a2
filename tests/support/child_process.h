/// Commands that tests run, and that leave nothing behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mqinspect::testing {

using std::chrono::milliseconds;

/// A directory of its own under the system's, removed with its content.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

struct Command {
    std::vector<std::string> arguments;    ///< arguments[0] is looked up in PATH
    std::vector<std::string> environment;  ///< NAME=VALUE, on top of the caller's
    std::optional<uid_t> user;             ///< whose process it is to be; needs root
};

/// How a process ended: an exit code, or the signal that killed it.
struct ExitStatus {
    int code = -1;
    int signal = 0;
};

/// A command that runs in a session of its own with its output in files.
///
/// The destructor kills it and every process that descends from it, in whatever
/// session, which are recognized by a variable in their environment. If the test
/// itself is killed, the kernel kills the command.
class ChildProcess {
public:
    /// A command that can't be started ends with exit code 127.
    explicit ChildProcess(const Command& command);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();

    pid_t pid() const { return pid_; }
    /// Empty if it still runs after `limit`.
    std::optional<ExitStatus> wait_for_exit(milliseconds limit);
    /// What it has written so far.
    std::string output() const;
    std::string errors() const;
    /// All processes that descend from the command and itself, except zombies.
    std::vector<pid_t> family() const;

private:
    void start(const Command& command);
    void kill_family() const;

    TemporaryDirectory directory_;
    std::string mark_;
    pid_t pid_ = -1;
    std::optional<ExitStatus> status_;
};

/// A command that has run to its end, or was killed after its time.
struct Completed {
    std::optional<ExitStatus> status;  ///< empty: killed after its time
    std::string output;
    std::string errors;
};

Completed run_to_end(const Command& command, milliseconds limit);
/// Copies a program or library without its symbols.
Completed strip(const std::filesystem::path& from, const std::filesystem::path& to);

/// The value of a variable in the environment that a process was started with.
std::optional<std::string> environment_of(pid_t pid, const std::string& name);

/// True if there is no such process, or only a zombie of it.
bool has_ended(pid_t pid);

/// Direct children, empty if the process is gone.
std::vector<pid_t> children_of(pid_t pid);
/// 0: there is no such process.
pid_t parent_of(pid_t pid);

/// Calls `reached` until it is true or the time is over, with a short pause between
/// two calls; the last result.
template <class Predicate>
bool poll_until(milliseconds limit, Predicate reached);

void pause_between_polls();

std::string read_text(const std::filesystem::path& file);

template <class Predicate>
bool poll_until(milliseconds limit, Predicate reached) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!reached()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        pause_between_polls();
    }
    return true;
}

}  // namespace mqinspect::testing

/// A fixture program that has said where it stands.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace mqinspect::testing {

/// Starts the program with pipes for input and output and waits for the line that
/// begins with "ready". Killed and reaped on destruction.
class Child {
public:
    Child(const std::string& program, std::vector<std::string> arguments);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    pid_t pid() const { return pid_; }
    /// What followed "ready ".
    const std::string& ready_text() const { return ready_text_; }

    void send(char byte) const;
    /// The next line that it writes, without the line feed; empty if it ends or
    /// 20 s pass.
    std::string read_line();

private:
    pid_t pid_ = -1;
    UniqueFd input_;
    UniqueFd output_;
    std::string ready_text_;
};

/// A path of this process's own for a temporary file or directory.
std::filesystem::path temporary_path(const std::string& name);

/// The state letter of /proc/PID/stat, '-' if there is no such process.
char process_state(pid_t pid);

/// Whether process 2 is kthreadd, as outside of process namespaces.
bool sees_kernel_threads();

/// Polls until the process has the state, at most 20 s.
bool wait_for_state(pid_t pid, char state);

}  // namespace mqinspect::testing

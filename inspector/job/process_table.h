/// The processes of this machine at one moment, and what /proc says of each.
/// Reads only; no process notices.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace mqinspect::job {

/// Who is whose child.
class ProcessTable {
public:
    struct Entry {
        pid_t parent = 0;
        char state = '?';  ///< as in proc(5)
        std::string name;  ///< at most 15 characters

        bool ended() const { return state == 'Z' || state == 'X'; }
    };

    /// Processes that end meanwhile are in it or not.
    static ProcessTable read();

    const std::unordered_map<pid_t, Entry>& entries() const { return entries_; }
    /// Null: there is no such process.
    const Entry* find(pid_t pid) const;
    /// Parent, grandparent, ..., without pid 0. Bounded: a pid may be reused while
    /// the table is read.
    std::vector<pid_t> ancestors(pid_t pid) const;
    bool is_descendant(pid_t pid, pid_t ancestor) const;
    /// Parents before their children, without the process itself. Neither the
    /// processes in `closed` nor what is below them.
    std::vector<pid_t> descendants(pid_t pid, const std::unordered_set<pid_t>& closed = {}) const;

private:
    std::unordered_map<pid_t, Entry> entries_;
    std::unordered_map<pid_t, std::vector<pid_t>> children_;
};

/// Also true for a process that is younger than the table at hand.
bool exists_now(pid_t pid);
/// /proc/PID/exe, empty if it cannot be read; without " (deleted)".
std::string executable_of(pid_t pid);
/// Arguments of a process, empty if they cannot be read.
std::vector<std::string> arguments_of(pid_t pid);
/// "mpiexec.hydra" of "/usr/bin/mpiexec.hydra".
std::string_view base_name(std::string_view path);

/// True if a file whose name starts with "libmpi" and ends in ".so" or a version
/// is mapped.
bool maps_mpi_library(pid_t pid);
/// True if `child` runs the same program at the same addresses as `parent`: it was
/// forked and has not called exec(3).
bool is_forked_copy(pid_t child, pid_t parent);

}  // namespace mqinspect::job

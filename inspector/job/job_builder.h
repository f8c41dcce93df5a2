/// Puts the ranks of a job together from what a launcher and /proc say of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "inspector/job/job.h"
#include "inspector/job/launcher.h"
#include "inspector/job/world.h"

namespace mqinspect::job {

/// Everything is borrowed. `own` is the world that was asked for, or null.
class JobBuilder {
public:
    JobBuilder(const ProcessTable& table,
               target::ImageStore& images,
               const std::optional<Launcher>& launcher)
        : table_(table), images_(images), launcher_(launcher) {}

    /// Each entry of the table is checked against /proc. Where it is wrong and
    /// exactly one process of `own` says that it is this rank, that one is taken.
    Job from_proctable(const World* own);
    Job from_world(const World& own);
    /// One process that no launcher started: a world of its own.
    Job from_singleton(pid_t pid);

    /// Says which processes of the launcher are left out: those of worlds that are not
    /// `shown`.
    void note_other_worlds(std::span<const World> worlds,
                           std::span<const World* const> shown,
                           Job& job);

private:
    Job begin() const;
    JobProcess check_entry(int rank, const ProctableEntry& entry, const World* own);
    void check_here(JobProcess& process, const ProctableEntry& entry);
    void settle(JobProcess& process, pid_t pid);
    pid_t process_of_rank(const World* own, int rank);
    JobProcess missing_rank(int rank, const World& own) const;

    const ProcessTable& table_;
    target::ImageStore& images_;
    const std::optional<Launcher>& launcher_;
    std::unordered_map<pid_t, int> listed_;  ///< pid in the proctable -> its first rank
};

/// Puts the worlds of `more` behind those of `job`.
void append(Job& job, Job more);

/// The name of this host, and whether a launcher's word for a host means it.
const std::string& this_host();
bool is_this_host(std::string_view name);

}  // namespace mqinspect::job

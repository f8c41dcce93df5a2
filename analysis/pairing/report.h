/// Findings about several processes: each cause once, in the words of the report.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/findings.h"
#include "analysis/pairing/members.h"
#include "analysis/pairing/operation.h"

namespace mqinspect::analysis {

/// Collects findings; equal ones of the same call sites are one with a count.
class InterprocessReport {
public:
    /// Keeps references.
    InterprocessReport(const model::Execution& execution,
                       const CheckOptions& options,
                       Members& members,
                       Findings& findings);

    bool wanted(FindingClass finding_class) const;
    /// The key of a finding between two call sites.
    static std::uint64_t key(FindingClass finding_class,
                             std::initializer_list<const EventSite*> sites);
    /// True: it is there already, and has been counted once more. For findings that may come
    /// with each message of a long run. `call`: to be kept among Finding::alike.
    bool count_again(std::uint64_t key,
                     std::span<const model::ProcessId> processes,
                     const EventSite* call = nullptr);
    /// Precondition: count_again(key) was false. Sorts `processes`.
    void add(std::uint64_t key, Finding finding);

    const model::Execution& execution() const { return execution_; }
    Members& members() const { return members_; }

    /// "rank 1", "rank 1 of world 2".
    std::string rank_text(model::ProcessId process) const;
    /// "rank 1", "ranks 0, 2 and 5", "ranks 0-7", "nobody"; a long list ends in "... (12 ranks)".
    std::string ranks_text(std::vector<model::ProcessId> processes) const;
    std::string_view procedure_name(const EventSite& site) const;
    /// "MPI_Send(dest 1, tag 7, MPI_COMM_WORLD)".
    std::string operation_text(const Operation& operation) const;
    /// By how the process has ended: it has called MPI_Finalize, or exited. Nothing more will
    /// come from it.
    bool over(model::ProcessId process) const;
    /// Something is not looked at: Findings::unchecked.
    void unchecked(std::string reason);
    bool crashed(model::ProcessId process) const;
    /// A part of its record is missing, so that nothing can be said about what it has done.
    bool incomplete(model::ProcessId process) const {
        return execution_.processes[process.index()].incomplete;
    }
    void mark_over(model::ProcessId process) { finalizing_[process.index()] = true; }

private:
    const model::Execution& execution_;
    const CheckOptions& options_;
    Members& members_;
    Findings& findings_;
    bool several_worlds_ = false;
    std::vector<bool> finalizing_;
    std::unordered_map<std::uint64_t, std::size_t> known_;  ///< subscripts; ~0: over the limit
    std::vector<std::size_t> counts_;                       ///< by process; the last: of several
};

/// Puts a process into a sorted list.
void insert_process(std::vector<model::ProcessId>& processes, model::ProcessId process);

}  // namespace mqinspect::analysis

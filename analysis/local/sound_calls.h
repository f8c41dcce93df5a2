/// Calls that are like one whose arguments have been found in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/local/buffers.h"
#include "analysis/local/procedures.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Most calls from one place of the program differ only in their buffers, tags, requests and
/// checksums. What has been found of the others need not be found again, as long as the handles
/// are what they were. Of one process; memory is bounded by the number of stacks.
class SoundCalls {
public:
    /// The procedures must outlive it.
    explicit SoundCalls(const std::vector<LocalProcedure>& procedures);

    /// True: Handles::check_use and check_arguments find nothing in this call, unless one of its
    /// buffers is where none can be. `generation`: Handles::generation.
    bool knows(const CallView& view, std::uint64_t generation) const;
    /// Nothing was wrong with the handles and arguments of this call, which touches these buffers;
    /// `generation` is that from before it was looked at.
    void keep(const CallView& view, std::uint64_t generation, const std::vector<Access>& accesses);
    /// Appends what collect_accesses would. Precondition: the call is known. False: it must be
    /// asked.
    bool collect_accesses(const CallView& view, std::vector<Access>& accesses) const;

private:
    /// Which values of a procedure's calls are compared.
    struct Comparison {
        bool possible = false;
        std::vector<std::uint8_t> values;
        std::vector<std::uint8_t> buffers;  ///< only whether they are MPI_IN_PLACE
        std::vector<std::uint8_t> tags;     ///< only whether all libraries have them
    };
    struct Known {
        model::ProcedureId procedure{-1};
        bool one_access = false;  ///< `access` is all that the call touches, at Role::Buffer
        std::uint64_t generation = 0;
        std::vector<std::int64_t> values;
        Access access;
    };

    static Comparison comparison_of(const LocalProcedure& local);

    std::vector<Comparison> comparisons_;  ///< by ProcedureId
    std::vector<Known> by_stack_;          ///< of the last procedure called from there
};

}  // namespace mqinspect::analysis

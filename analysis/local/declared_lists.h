/// Arrays of requests, statuses, counts and the like against what the program declares of them:
/// they must be as long as the call says, or its communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/findings.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/declared_buffer.h"

namespace mqinspect::analysis {

class DeclaredLists {
public:
    /// All of them must outlive it. Without CheckOptions::text nothing is found.
    DeclaredLists(model::ProcessId process, const CheckOptions& options, Reporter& reporter)
        : process_(process), options_(options), reporter_(reporter) {}

    /// One finding for each array that is too short.
    void check(const CallView& view);

private:
    /// What MPI reads from an argument, or writes to it.
    struct Use {
        std::int64_t entries = 0;
        std::int64_t entry_bytes = 0;  ///< at least
        std::string_view noun;
        bool writes = false;
        bool certain = true;  ///< false: MPI may write less
    };

    static Use use_of(const CallView& view, std::size_t parameter);
    void check(const CallView& view, std::size_t parameter);

    model::ProcessId process_;
    const CheckOptions& options_;
    Reporter& reporter_;
};

}  // namespace mqinspect::analysis

/// Arrays of requests, statuses, counts and the like, and those that MPI writes texts to, against
/// what the program declares of them: they must be as long as the call says, its communicator, or
/// a constant of MPI's.
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
    DeclaredLists(model::ProcessId process,
                  const model::Execution& execution,
                  const CheckOptions& options,
                  Reporter& reporter)
        : process_(process), execution_(execution), options_(options), reporter_(reporter) {}

    /// One finding for each array that is too short.
    void check(const CallView& view);

private:
    /// What MPI reads from an argument, or writes to it.
    struct Use {
        std::int64_t entries = 0;
        std::int64_t entry_bytes = 0;  ///< at least
        std::string_view noun;
        bool writes = false;
        bool certain = true;       ///< false: MPI may write less
        std::int64_t written = 0;  ///< bytes of a text
    };

    Use use_of(const CallView& view, std::size_t parameter) const;
    /// Of a text that MPI writes.
    Use use_of_text(const CallView& view, std::size_t parameter) const;
    void check(const CallView& view, std::size_t parameter);

    model::ProcessId process_;
    const model::Execution& execution_;
    const CheckOptions& options_;
    Reporter& reporter_;
};

}  // namespace mqinspect::analysis

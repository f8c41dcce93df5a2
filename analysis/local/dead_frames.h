/// Memory of a function that has returned, which MPI still uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/findings.h"
#include "analysis/local/buffers.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// Buffers of pending operations, of windows and of MPI_Buffer_attach must be there until the end
/// (MPI 4.0, 2.4.1, 3.6, 12.2.1): a variable on the stack is only until its function returns.
class DeadFrames {
public:
    /// All of them must outlive it. Without CheckOptions::text nothing is found.
    DeadFrames(model::ProcessId process,
               const model::Execution& execution,
               const CheckOptions& options,
               Reporter& reporter)
        : process_(process), execution_(execution), options_(options), reporter_(reporter) {}

    /// Whether memory that the call touches is a variable on the stack.
    bool is_on_stack(const CallView& view, const std::vector<Access>& accesses);
    /// True: the function that made the first call, for which is_on_stack was true, has returned
    /// before the later one.
    bool has_returned(const CallSite& made, const CallSite& later) const;
    /// The same before the program touches the buffer, as the event says: somebody else has the
    /// memory, whose place says nothing.
    bool has_returned(const CallSite& made, const model::RecordedEvent& event) const;
    /// That it has, of an operation such as "receive". `later`: its completion; null: it has none.
    void report(const CallSite& made, const CallSite* later, std::string_view operation);

    /// Windows and attached buffers from the call that makes them to the one that ends them.
    void follow(const CallView& view);

private:
    /// A bit for each of the first parameters.
    std::uint32_t on_stack_at(const CallView& view);
    void lend(const CallView& view);

    model::ProcessId process_;
    const model::Execution& execution_;
    const CheckOptions& options_;
    Reporter& reporter_;
    struct Known {
        bool asked = false;
        std::uint32_t on_stack = 0;
    };
    std::vector<Known> by_stack_;
    std::unordered_map<std::int64_t, CallSite>
        lent_;  ///< by window; kNullHandle: the attached buffer
};

}  // namespace mqinspect::analysis

/// How the calls that a report shows hang together: which call made, started and finished their
/// operations, and whom these met. The correctness analyzer's "event references".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/run_profile.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// One message or collective operation as one process has it.
struct OperationReferences {
    std::optional<CallKey> init;   ///< what made its request; of a blocking call itself
    std::optional<CallKey> start;  ///< MPI_Start of a persistent request, else as `init`
    std::optional<CallKey> finish;
    std::optional<std::uint64_t> finish_event;  ///< the return from `finish`
    std::vector<CallKey> matched;               ///< what started the operations that it met
    /// Of a collective operation: its number on its communicator; the number of that sequence,
    /// the same in all members; whether all members have come.
    struct Collective {
        std::uint64_t number = 0;
        std::uint32_t sequence = 0;
        bool whole = false;
    };
    std::optional<Collective> collective;
};

/// Sends and receives of a process that had not finished when the record ended.
struct OpenOperations {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
};

struct EventReferences {
    /// Of the calls in RunProfile::involved; one that completes several requests has several.
    std::map<CallKey, std::vector<OperationReferences>> operations;
    /// The calls that are referred to and are not in RunProfile::involved; their multiplicity is
    /// not known.
    std::map<CallKey, KeptCall> calls;
    std::vector<OpenOperations> open;  ///< by process
};

/// Reads the run up to three more times.
EventReferences find_event_references(const model::Recording& recording, const RunProfile& profile);

}  // namespace mqinspect::analysis

#include "analysis/run_profile.h"

#include <algorithm>
#include <utility>

#include "analysis/each_process.h"
#include "analysis/pairing/call_kind.h"

namespace mqinspect::analysis {
namespace {

using model::Procedure;
using model::ProcessId;
using model::RecordedCall;

constexpr std::size_t kMostElements = 64;

std::vector<std::vector<std::int64_t>> copy(const Procedure& procedure,
                                            std::span<const model::Value> values) {
    std::vector<std::vector<std::int64_t>> copies;
    copies.reserve(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (model::is_list(procedure.parameters[at].kind)) {
            const auto list =
                values[at].list.first(std::min(values[at].list.size(), kMostElements));
            copies.emplace_back(list.begin(), list.end());
        } else {
            copies.push_back({values[at].number});
        }
    }
    return copies;
}

// What a call of a procedure adds to the numbers of its process.
struct Weight {
    std::uint8_t sends = 0;
    std::uint8_t receives = 0;
    std::uint8_t collectives = 0;
};

Weight weight_of(const CallKind& kind) {
    if (kind.persistent) return {};  // it only prepares what MPI_Start starts
    switch (kind.action) {
        case Action::Send:
            return {1, 0, 0};
        case Action::Receive:
        case Action::MatchedReceive:
            return {0, 1, 0};
        case Action::SendReceive:
        case Action::SendReceiveReplace:
            return {1, 1, 0};
        case Action::Collective:
            return {0, 0, 1};
        default:
            return {};
    }
}

using Wanted = std::vector<std::pair<int, std::uint64_t>>;  ///< thread, event; sorted

ProcessProfile profile_process(const model::Recording& recording,
                               ProcessId process,
                               const std::vector<Weight>& weights,
                               const Wanted& wanted,
                               std::vector<KeptCall>& involved) {
    const model::Execution& execution = recording.execution();
    ProcessProfile result;
    result.procedures.resize(execution.procedures.size());
    std::map<std::pair<int, int>, std::uint64_t> rare;  // procedures that share a stack
    std::vector<std::pair<int, std::uint64_t>> passes(execution.stacks.size(), {-1, 0});
    const auto stream = recording.calls(process);
    RecordedCall call;
    while (stream->next(call)) {
        ProcedureUse& use = result.procedures[call.procedure.index()];
        ++use.calls;
        if (call.leave_event) use.ns += call.leave_ns - call.enter_ns;
        const Weight& weight = weights[call.procedure.index()];
        ++result.calls;
        result.sends += weight.sends;
        result.receives += weight.receives;
        result.collectives += weight.collectives;
        auto& [procedure, count] = passes[call.stack.index()];
        if (procedure < 0) procedure = call.procedure.value;
        const std::uint64_t multiplicity = procedure == call.procedure.value
                                               ? ++count
                                               : ++rare[{call.procedure.value, call.stack.value}];
        const bool is_wanted = !wanted.empty() && std::ranges::binary_search(
                                                      wanted, std::pair(call.thread, call.event));
        if (is_wanted) {
            involved.push_back(
                keep(execution.procedures[call.procedure.index()], call, multiplicity));
        }
        // Copying each call's values only for the last would cost more than reading them.
        if (result.last) {
            result.last->call = call;
            result.last->multiplicity = multiplicity;
        } else {
            result.last = KeptCall{call, {}, {}, multiplicity};
        }
    }
    if (result.last) {
        result.last->call.before = {};
        result.last->call.after = {};
    }
    return result;
}

}  // namespace

KeptCall keep(const Procedure& procedure, const RecordedCall& call, std::uint64_t multiplicity) {
    KeptCall kept;
    kept.call = call;
    kept.call.before = {};
    kept.call.after = {};
    kept.before = copy(procedure, call.before);
    kept.after = copy(procedure, call.after);
    kept.multiplicity = multiplicity;
    return kept;
}

RunProfile profile(const model::Recording& recording, const Findings& findings) {
    const model::Execution& execution = recording.execution();
    const std::size_t size = execution.processes.size();
    std::vector<Wanted> wanted(size);
    for (const Finding& finding : findings.findings) {
        for (const InvolvedCall& call : finding.calls) {
            if (call.procedure.value >= 0)
                wanted[call.process.index()].emplace_back(call.thread, call.event);
        }
    }
    for (Wanted& of_process : wanted)
        std::ranges::sort(of_process);
    std::vector<Weight> weights;
    weights.reserve(execution.procedures.size());
    for (const CallKind& kind : classify_procedures(execution))
        weights.push_back(weight_of(kind));

    RunProfile result;
    result.processes.resize(size);
    std::vector<std::vector<KeptCall>> involved(size);
    for_each_process(size, [&](ProcessId process) {
        const std::size_t at = process.index();
        result.processes[at] =
            profile_process(recording, process, weights, wanted[at], involved[at]);
    });
    for (std::vector<KeptCall>& of_process : involved) {
        for (KeptCall& kept : of_process) {
            const auto key = std::tuple(kept.call.process, kept.call.thread, kept.call.event);
            result.involved.emplace(key, std::move(kept));
        }
    }
    return result;
}

}  // namespace mqinspect::analysis

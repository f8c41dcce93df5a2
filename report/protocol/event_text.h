/// Events of the trace as the protocol prints them: a call or a return, its number, place and
/// time, the source, the parameters by the analyzer's names, and what it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/event_references.h"
#include "analysis/pairing/members.h"
#include "report/checked_run.h"
#include "report/recorded_source.h"

namespace mqinspect::report::protocol {

/// Bytes of a call's count and datatype; empty: not known.
std::optional<std::int64_t> size_of(const CheckedRun& run, const analysis::KeptCall& call);

class EventText {
public:
    explicit EventText(const CheckedRun& run) : run_(run), members_(run.execution) {}

    /// Both events of a call, or the first if it has not returned. `mark` stands behind the
    /// number of the first: '!' for an anomalous one, 'i' for one that only informs, ' ' for none.
    std::string call(const analysis::KeptCall& call, char mark);
    /// "InitEvent=6 StartEvent=6 FinishEvent=undef MatchedStartEvent=undef", on a line for each
    /// operation.
    std::string references(const analysis::KeptCall& call) const;
    /// The lines of the source at this place.
    std::string source(model::StackId stack);
    /// "comm = 1  proc number = 2  tripl number = 1", and the triplets.
    std::string communicator(model::CommunicatorId id) const;

private:
    std::string parameters(const analysis::KeptCall& call) const;
    std::string results(const analysis::KeptCall& call) const;
    std::string world_rank(const analysis::KeptCall& call, std::int64_t rank) const;

    const CheckedRun& run_;
    analysis::Members members_;
    SourceFiles sources_;
};

/// The value of a role at the entry; empty: there is none.
std::optional<std::int64_t> value_of(const CheckedRun& run,
                                     const analysis::KeptCall& call,
                                     model::Role role);

}  // namespace mqinspect::report::protocol

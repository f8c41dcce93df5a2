/// What is asked of a status in a datatype: MPI_Get_count and MPI_Get_elements should be given that
/// of the receive which has set the status (MPI 4.0, 3.2.5).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "analysis/pairing/call_kind.h"

namespace mqinspect::analysis {

/// The checks of one process. Statuses are told by what they say: source, tag, bytes. Nothing is
/// said of one that could come from several calls and fits one of these.
class StatusTypes {
public:
    /// All of them must outlive it.
    StatusTypes(model::ProcessId process,
                const model::Execution& execution,
                const TypeSignatures& signatures,
                Reporter& reporter);

    void check(const CallView& view);

private:
    /// A call that has received something; type -1: something else has set the status.
    struct Received {
        CallSite site;
        model::DatatypeId type{-1};
        bool persistent = false;
        bool probed = false;  ///< by MPI_Probe: nothing is received yet
    };
    using Says = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

    static Received received_by(const CallView& view);
    void note(std::span<const std::int64_t> status, const Received& received);
    void note_completed(const CallView& view);
    void ask(const CallView& view);
    bool fits(model::DatatypeId received, model::DatatypeId asked, std::int64_t bytes) const;

    model::ProcessId process_;
    const model::Execution& execution_;
    const TypeSignatures& signatures_;
    Reporter& reporter_;
    bool wanted_ = false;
    bool full_ = false;  ///< too many: nothing more is said
    std::vector<CallKind> kinds_;
    std::unordered_map<std::int64_t, Received> pending_;  ///< receives, by request
    std::map<Says, std::vector<Received>> received_;
};

}  // namespace mqinspect::analysis

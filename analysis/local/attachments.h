/// The memory of dynamic windows: what MPI_Win_attach adds and MPI_Win_detach, or MPI_Win_free,
/// takes away (MPI 4.0, 12.2.4).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Is shown the calls of all processes while others read them, before it is asked. The arguments of
/// the constructor must outlive it.
class Attachments {
public:
    Attachments(const model::Execution& execution, Footprints& footprints, Reporter& reporter)
        : execution_(execution), footprints_(footprints), reporter_(reporter) {}

    /// False: the run has no dynamic windows, and nobody will ask.
    bool wanted() const;
    /// The next call of its process.
    void read(const CallView& view);

    /// Reports an access to memory of `target` that is certainly not attached: never, or by all
    /// that its origin could know no more, or, where that is the target itself, not yet.
    /// `access.memory` has addresses.
    void check(std::int64_t window, model::ProcessId target, const TargetAccess& access);

    /// The call that attached some of these bytes of the process, which were still attached at that
    /// time; null: there is none.
    const CallSite* attached_at(model::ProcessId process,
                                const ByteRange& memory,
                                std::int64_t time_ns) const;
    /// The addresses that the call adds or takes away; empty: it is another one, or has failed.
    std::optional<ByteRange> changed_by(const CallView& view) const;

private:
    struct Attachment {
        ByteRange memory;
        CallSite attached;
        std::uint64_t until = TargetAccess::kNever;  ///< event of MPI_Win_detach
        CallSite detached;
        std::int64_t attached_ns = 0;
        std::int64_t ended_ns = INT64_MAX;  ///< MPI_Win_detach or MPI_Win_free has begun
    };
    using Owner = std::pair<std::int64_t, model::ProcessId>;  ///< window, process

    void attach(const CallView& view, std::int64_t base, std::int64_t bytes);
    void detach(const CallView& view, std::int64_t base);
    void refuse(const CallView& view, const CallSite* made, std::string_view what);
    void report(const TargetAccess& access,
                model::ProcessId target,
                const std::vector<Attachment>& all,
                const ByteRange& missing);

    const model::Execution& execution_;
    Footprints& footprints_;
    Reporter& reporter_;
    std::map<Owner, std::vector<Attachment>> attachments_;
};

}  // namespace mqinspect::analysis

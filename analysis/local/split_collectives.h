/// Split collective operations on files: each begin has its end, with the same buffer, before the
/// file is closed, and without other collective accesses in between (MPI 4.0, 14.4.5).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/local/overlaps.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class SplitCollectives {
public:
    SplitCollectives(model::ProcessId process, Overlaps& overlaps, Reporter& reporter)
        : process_(process), overlaps_(overlaps), reporter_(reporter) {}

    /// A call that has a file among its arguments, with the buffer that it uses.
    void check(const CallView& view, const std::vector<Access>& accesses);

private:
    struct Begun {
        CallSite site;
        std::int64_t buffer = 0;
        std::string procedure;
        ActiveSlot used = kNoSlot;
    };

    /// A begin that MPI has refused, as another operation was not ended: its end is refused, too.
    struct Refused {
        std::int64_t buffer = 0;
        std::size_t finding = 0;  ///< Reporter::last
    };

    void begin(const CallView& view, const std::vector<Access>& accesses, std::int64_t file);
    Finding* report(const CallView& view, FindingClass finding_class, const Begun& begun);
    void second(const CallView& view, const Begun& first, std::int64_t file);
    void end(const CallView& view, const Begun& begun);
    void access_within(const CallView& view, const Begun& begun);
    void pending_at(const CallView& view, const Begun& begun);
    void close(const CallView& view, const Begun& begun);

    model::ProcessId process_;
    Overlaps& overlaps_;
    Reporter& reporter_;
    std::map<std::int64_t, Begun> begun_;      ///< by file
    std::map<std::int64_t, Refused> refused_;  ///< by file
};

}  // namespace mqinspect::analysis

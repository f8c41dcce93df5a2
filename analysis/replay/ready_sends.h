/// Sends in ready mode whose receive nobody has made sure to be posted.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "analysis/pairing/report.h"
#include "analysis/replay/run_clocks.h"

namespace mqinspect::analysis {

/// "A send that uses the ready communication mode may be started only if the matching receive is
/// already posted" (MPI 4.0, 3.4): by then its sender must know that, from messages or collective
/// operations.
class ReadySends : public MatchVisitor {
public:
    /// Keeps references; `clocks` is to be told before this.
    ReadySends(const std::vector<CallKind>& kinds, RunClocks& clocks, InterprocessReport& report)
        : kinds_(kinds), clocks_(clocks), report_(report) {}

    /// The run has such sends, and shows what orders its calls.
    static bool are_checked(const model::Execution& execution, const std::vector<CallKind>& kinds);

    void on_start(OperationIndex index, const Operation& operation) override;
    void on_pair(const Operation& send, const Operation& receive) override;
    void on_wave(const Wave&) override {}
    /// Those that have met no receive.
    void finish();

private:
    struct Started {
        Operation send;
        std::shared_ptr<const Clock> known;
    };

    void add(const Operation& send, const EventSite* receive);

    const std::vector<CallKind>& kinds_;
    RunClocks& clocks_;
    InterprocessReport& report_;
    std::map<OperationIndex, Started> started_;
};

}  // namespace mqinspect::analysis

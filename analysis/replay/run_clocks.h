/// What processes know of each other while a run is played: vector clocks (Mattern, 1989; Fidge,
/// 1988), with one entry for each process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/pairing/operation.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// By process: a number among its events; what it has done before that is known.
using Clock = std::vector<std::uint64_t>;
/// What either knows. Both are of as many processes.
void join_clock(Clock& into, const Clock& from);

/// Messages tell from the call that starts the send to the play's completion of the receive;
/// synchronous sends also from the call that starts the receive to the completion of the send
/// (MPI 4.0, 3.4); collective operations, as far as data goes from one member to the other.
class RunClocks : public MatchVisitor {
public:
    /// More processes are too many: a clock for each of them.
    static constexpr std::size_t kMostProcesses = 256;

    /// What orders the calls of this run is in its record: one-sided operations, and other threads,
    /// tell of calls in other ways.
    static bool know_all(const model::Execution& execution);

    /// Keeps references.
    RunClocks(const model::Execution& execution,
              std::size_t processes,
              const std::vector<CallKind>& kinds);

    /// What a process knows now. Never null; does not change any more.
    std::shared_ptr<const Clock> of(model::ProcessId process);
    /// From `event` on the process may know whatever others have done, in a way that the record
    /// does not show. So may those whom it tells.
    void may_know_all(model::ProcessId process, std::uint64_t event);
    /// By process: the last such event that `process` knows of; 0: none.
    const Clock& unknown_sources(model::ProcessId process) const {
        return rows_[process.index()].unknown;
    }

    void on_start(OperationIndex index, const Operation& operation) override;
    void on_met(const Operation& send, const Operation& receive) override;
    void on_acknowledged(OperationIndex index, const Operation& send) override;
    void on_pair(const Operation& send, const Operation& receive) override;
    void on_whole(const Wave& wave) override;
    void on_wave(const Wave&) override {}

private:
    struct Row {
        Clock known;
        Clock unknown;
        std::shared_ptr<const Clock> shown;  ///< a copy of `known`; null: not made yet
    };

    static void join(Row& into, const Row& from);

    const model::Execution& execution_;
    const std::vector<CallKind>& kinds_;
    std::vector<Row> rows_;     ///< by process
    bool synchronous_;          ///< there may be synchronous sends
    std::vector<Row> started_;  ///< by send, and by receive if synchronous_: that of who started it
    std::unordered_map<OperationIndex, Row> met_;  ///< by synchronous send: that of its receive
};

}  // namespace mqinspect::analysis

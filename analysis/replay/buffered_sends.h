/// Sends in buffered mode that may need more than the attached buffer has.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/pairing/report.h"
#include "analysis/replay/run_clocks.h"

namespace mqinspect::analysis {

/// Each message that is not received yet takes its packed size and MPI_BSEND_OVERHEAD of the
/// buffer (MPI 4.0, 3.6.1). In the worst case that are all whose receive the sender does not know
/// to have been called, from messages or collective operations.
class BufferedSends : public MatchVisitor {
public:
    /// Keeps references; `clocks` is to be told before this.
    BufferedSends(RunClocks& clocks, InterprocessReport& report, bool strict);

    /// The run has such sends, and shows what orders its calls.
    static bool are_checked(const model::Execution& execution, const std::vector<CallKind>& kinds);

    /// Each call of a process, in order.
    void see(const model::RecordedCall& call);
    void on_start(OperationIndex index, const Operation& operation) override;
    void on_pair(const Operation& send, const Operation& receive) override;
    void on_wave(const Wave&) override {}
    /// Those that have met no receive.
    void finish();

private:
    /// What is attached, and where.
    struct Attached {
        EventSite site;
        std::int64_t bytes = 0;
        std::uint64_t number = 0;  ///< of attachments of the process
    };
    struct Message {
        EventSite send;
        std::int64_t bytes = 0;  ///< with the overhead
        Attached attached;
        std::shared_ptr<const Clock> known;
        model::ProcessId receiver{-1};
        std::uint64_t received = 0;  ///< the event of its receive
        bool paired = false;
        bool pending = false;  ///< as far as its sender knows; not before it was looked at
    };
    struct Sender {
        std::optional<Attached> attached;
        std::uint64_t attachments = 0;
        /// In order; those before `next` have been looked at, and may be pending.
        std::deque<std::shared_ptr<Message>> messages;
        std::size_t next = 0;
        std::size_t unpaired = 0;            ///< before `next`
        std::int64_t pending = 0;            ///< bytes of those before `next`
        std::shared_ptr<const Clock> known;  ///< that they were compared with
    };

    void look(Sender& sender, bool all);
    static void forget(Sender& sender, std::size_t from);
    static void forget_received(Sender& sender, const Message& now);
    void report(const Sender& sender, const Message& now);

    RunClocks& clocks_;
    InterprocessReport& report_;
    bool strict_;
    std::int64_t overhead_;
    std::vector<Sender> senders_;  ///< by process
    std::unordered_map<OperationIndex, std::shared_ptr<Message>> started_;
};

}  // namespace mqinspect::analysis

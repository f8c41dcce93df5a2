/// Which messages a wildcard receive could have taken instead of the one it took.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/pairing/report.h"
#include "analysis/replay/player.h"

namespace mqinspect::analysis {

/// Vector clocks over a play of the run, one entry for each process that receives from any
/// source: how many such receives of it a process knows to be over. A message could have been
/// taken by an earlier receive if its sender did not know that receive to be over, and nothing
/// that the same sender had sent before stood in the way.
class Races : public MatchVisitor {
public:
    /// Keeps references.
    Races(const model::Execution& execution, const std::vector<CallKind>& kinds);

    /// Too many processes receive from any source for the clocks: there are no races.
    bool given_up() const { return given_up_; }

    struct Race {
        EventSite receive;  ///< from any source
        EventSite taken;    ///< the send that it took
        EventSite other;    ///< the one that it could have taken
        model::CommunicatorId communicator;
        std::int64_t taken_rank = 0;  ///< ranks of the senders in the communicator
        std::int64_t other_rank = 0;
        /// Another wildcard takes the other message, with room for the same, or the program has
        /// addressed the sender that it met: the usual work of a master.
        bool benign = false;
        bool received = false;     ///< the other message, by somebody
        bool by_wildcard = false;  ///< and that is a receive from any source, too
        bool possible = true;      ///< as far as the play of the other matching shows
        std::uint64_t count = 1;
    };
    /// One for each receiving call site, the worst.
    std::vector<Race> races(Matcher& matcher);

    void on_start(OperationIndex index, const Operation& operation) override;
    void on_met(const Operation& send, const Operation& receive) override;
    void on_acknowledged(OperationIndex index, const Operation& send) override;
    void on_pair(const Operation& send, const Operation& receive) override;
    void on_whole(const Wave& wave) override;
    void on_wave(const Wave&) override {}

private:
    /// A receive from any source that is over.
    struct Receive {
        std::uint32_t number = 0;
        Operation operation;
        EventSite taken;
        std::int64_t taken_rank = 0;
        bool addressed = false;              ///< the program has named the sender since
        std::vector<model::ProcessId> seen;  ///< senders whose first message is known
    };

    /// A message that was received while an older receive from any source was still open.
    struct Met {
        Operation send;
        Operation receive;
    };

    std::uint32_t* clock(model::ProcessId process) { return &clocks_[process.index() * stride_]; }
    std::uint32_t* started(OperationIndex operation);
    void watch(model::ProcessId process);
    void address(std::uint32_t entry, model::ProcessId peer);
    void join(std::uint32_t* into, const std::uint32_t* from) const;
    void compare(const Operation& send,
                 const std::uint32_t* known,
                 const Operation* receive,
                 std::uint32_t receiver);
    void compare_with_met(Receive& wildcard, std::uint32_t receiver);
    static bool fits(const Receive& wildcard, const Operation& send, const Operation* receive);
    static bool is_first(Receive& wildcard, model::ProcessId sender);
    bool are_alike(const Operation& left, const Operation& right) const;
    void add(const Receive& receive, const Operation& send, const Operation* taken_by);
    std::int64_t rank_of(model::CommunicatorId communicator, model::ProcessId process);

    const model::Execution& execution_;
    const std::vector<CallKind>& kinds_;
    Members members_;
    std::size_t watched_ = 0;  ///< processes with an entry in the clocks
    std::size_t stride_ = 0;   ///< room for so many
    bool given_up_ = false;
    std::vector<std::uint32_t> entry_of_;  ///< by process
    std::vector<bool> broken_;             ///< by process: an error has ended it
    std::vector<std::uint32_t> clocks_;    ///< by process, stride_ each
    bool synchronous_;                     ///< there may be synchronous sends
    /// By send, and by receive if synchronous_: the clock of who started it, then.
    std::vector<std::uint32_t> started_;
    /// By synchronous send: what its receive tells.
    std::unordered_map<OperationIndex, std::vector<std::uint32_t>> met_sends_;
    std::vector<std::deque<Receive>> recent_;  ///< by entry
    std::vector<std::size_t> unaddressed_;     ///< of these, by entry
    std::vector<std::deque<Met>> met_;         ///< by entry
    std::vector<std::uint32_t> open_;          ///< by entry: receives from any source, started
    std::map<std::uint64_t, Race> races_;      ///< by receiving call site
};

}  // namespace mqinspect::analysis

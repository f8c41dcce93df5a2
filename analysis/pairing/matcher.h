/// Which send meets which receive, and which collective calls are one operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/pairing/flat_map.h"
#include "analysis/pairing/members.h"
#include "analysis/pairing/operation.h"
#include "analysis/pairing/outcomes.h"

namespace mqinspect::analysis {

/// Reads the calls of all processes, each process's in order, in any interleaving, and matches
/// what they start. Memory grows with what is open only.
///
/// Messages of one communicator, source and destination do not overtake each other (MPI 4.0,
/// 3.5): a receive takes the first message that it can take. The source and tag of a wildcard are
/// those of its status, also where that comes later. Where it never comes, the receive is
/// matched at the end, if a send is left over.
class Matcher {
public:
    /// What a call waits for if no send is buffered and all collective operations synchronize.
    struct Waits {
        std::vector<OperationIndex> operations;  ///< not yet matched
        std::vector<WaveIndex> waves;            ///< not yet whole
        bool any = false;                        ///< one of all these is enough
        bool satisfied = false;                  ///< one of them is there already
        bool polling = false;                    ///< a Test: it would just go on
        bool not_ready = false;                  ///< a partitioned send lacks MPI_Pready
        /// A probe, for a message from `probed` (-1: any member).
        bool probe = false;
        model::ProcessId probed{-1};
        model::CommunicatorId communicator{-1};
        std::int64_t tag = 0;

        void clear();
    };
    /// A wildcard receive that is to take a message of another source than it did.
    struct Forced {
        model::ProcessId process;
        int thread = 0;
        std::uint64_t event = 0;
        std::int64_t source = 0;
        bool met = false;  ///< it has got its message

        bool is(const EventSite& receive) const {
            return process == receive.process && thread == receive.thread && event == receive.event;
        }
    };

    /// Keeps references; `kinds` are those of the recording.
    Matcher(const model::Recording& recording,
            const std::vector<CallKind>& kinds,
            Members& members,
            MatchVisitor* visitor);

    void force(std::vector<Forced> forced) { forced_ = std::move(forced); }
    bool all_forced_met() const {
        return std::all_of(
            forced_.begin(), forced_.end(), [](const Forced& one) { return one.met; });
    }
    /// From now on feed() says what calls wait for.
    void track_waits() { track_waits_ = true; }

    void feed(const model::RecordedCall& call);
    /// Of the call fed last.
    const Waits& waits() const { return waits_; }
    /// Makes waits() those of a process that waits for any of its requests.
    void await_any(model::ProcessId process, std::span<const std::int64_t> requests);

    /// Matches wildcards whose source is not known with sends that are there; true if any.
    bool match_unresolved();
    /// At the end of the run: delivers what is matched and not delivered yet.
    void deliver_rest();

    Operation& operation(OperationIndex index) { return operations_[index]; }
    Wave& wave(WaveIndex index) { return waves_[index]; }
    /// The members of a wave, in the order of its contributions.
    std::span<const model::ProcessId> wave_members(const Wave& wave) const {
        return orders_[wave.order].members;
    }
    /// The procedure of a contribution, whatever its form: CallKind::name.
    std::string_view name_of(const Contribution& contribution) const {
        return kinds_[contribution.site.procedure.index()].name;
    }
    const EventSite* origin(const Operation& operation) const {
        return operation.origin < 0 ? nullptr
                                    : &origins_[static_cast<std::size_t>(operation.origin)].site;
    }
    /// Makes `waits` those of a probe of a process; false: nobody can send that.
    bool probe(model::ProcessId process,
               std::int64_t communicator,
               std::int64_t source,
               std::int64_t tag,
               Waits& waits) const;
    /// Is there a message that a probe sees?
    bool has_message(model::ProcessId process, const Waits& probe);
    /// Waiters of operations that have been matched, and of waves that have become whole, since
    /// the last take; a waiter stands there once for each.
    void take_woken(std::vector<std::uint32_t>& woken) {
        woken.clear();
        woken.swap(woken_);
    }
    bool has_woken() const { return !woken_.empty() || !unexpected_.empty(); }
    /// Processes that have got a message that no receive has taken.
    void take_unexpected(std::vector<model::ProcessId>& unexpected) {
        unexpected.clear();
        unexpected.swap(unexpected_);
    }

    /// Of persistent collective operations: the sequence of the calls that make them, into which
    /// the one that has made this falls; ~0: it is none.
    std::uint32_t parent_of(const Wave& wave) const { return orders_[wave.order].parent; }
    /// Operations that nothing has met, by time.
    std::vector<OperationIndex> open_operations() const;
    std::vector<WaveIndex> open_waves() const;
    bool finalizing(model::ProcessId process) const { return finalizing_[process.index()]; }
    /// A Test of its has found a send complete that no receive has met yet: without buffers it
    /// would have found nothing, and the process would have done something else.
    bool went_on_by_test(model::ProcessId process) const {
        return tested_sends_[process.index()] > 0;
    }

private:
    struct Channel {
        OperationIndex first_send = kNoOperation;
        OperationIndex last_send = kNoOperation;
        OperationIndex first_receive = kNoOperation;
        OperationIndex last_receive = kNoOperation;
    };
    /// What persistent requests start, again and again.
    struct Template {
        bool has_send = false;
        bool has_receive = false;
        Operation send;
        Operation receive;
        Contribution contribution;
        std::int64_t partitions = 0;
        std::uint32_t order = 0;  ///< of the waves of a persistent collective operation
        bool collective = false;
    };
    struct Request {
        OperationIndex first = kNoOperation;
        OperationIndex second = kNoOperation;
        WaveIndex wave = kNoWave;
        std::uint32_t member = 0;
        std::uint32_t starts = 0;
        std::int64_t missing_partitions = 0;
        std::unique_ptr<Template> made_from;  ///< persistent ones only
    };
    struct Origin {
        EventSite site;
        std::uint32_t uses = 0;  ///< by operations and a template; without, its place is free
    };
    /// Collective calls that are numbered together: on a communicator, a window, ...
    struct Order {
        model::CommunicatorId communicator{-1};
        std::vector<model::ProcessId> members;
        std::vector<std::uint64_t> next;           ///< by member: the number of its next wave
        std::deque<WaveIndex> open;                ///< kNoWave: it is over
        std::uint64_t first = 0;                   ///< number of open.front()
        std::uint32_t parent = ~std::uint32_t{0};  ///< of persistent ones: where they are made
        bool derailed = false;  ///< different procedures have met: what follows is by chance
    };
    struct Context {  ///< of the call that is being fed
        const model::RecordedCall& call;
        const model::Procedure& procedure;
        const CallKind& kind;

        std::int64_t in(model::Role role, std::int64_t otherwise = 0) const;
        const model::Value* out(model::Role role) const;
    };

    /// Sends that a wildcard may have met, each the first one of its source.
    struct Candidates {
        OperationIndex first = kNoOperation;  ///< by time
        std::size_t sources = 0;
        bool alike = true;  ///< they all send the same amount
    };

    bool arrived_wrong(model::ProcessId process, std::int64_t code) const;
    /// From the peer of `receive`, on its communicator: the first one that waits with the tag.
    OperationIndex first_send(const Operation& receive, std::int64_t tag);
    /// False also where that is not known.
    bool does_not_fit(const Operation& send, const Operation& receive) const;
    /// `truncated`: only those that are too long for it.
    Candidates candidates_for(const Operation& wildcard, bool truncated);
    // matcher.cpp: starting
    void feed_send(const Context& context);
    void feed_receive(const Context& context);
    void feed_both(const Context& context);
    void feed_probe(const Context& context);
    void feed_matched_receive(const Context& context);
    bool make_send(const Context& context, Operation& send) const;
    bool make_receive(const Context& context, Operation& receive) const;
    OperationIndex start(const Context& context, Operation& operation, const Outcome* outcome);
    OperationIndex start_receive(const Context& context,
                                 Operation& receive,
                                 const Outcome* outcome);
    void add_request(const Context& context, OperationIndex first, OperationIndex second);
    void add_template(const Context& context, Template made);

    // matcher_channels.cpp: matching
    OperationIndex allocate(const Operation& operation);
    void release(OperationIndex index);
    std::int32_t add_origin(const EventSite& site);
    void drop_origin(std::int32_t origin);
    std::uint64_t channel_key(const Operation& operation) const;
    void post(OperationIndex index);
    void append(OperationIndex& first, OperationIndex& last, OperationIndex index);
    void unlink(OperationIndex index);
    void match(OperationIndex send, OperationIndex receive);
    void deliver(OperationIndex receive);
    void wait_for(OperationIndex index);
    std::optional<std::int64_t> forced_source(const EventSite& site) const;
    void note_forced(const EventSite& receive);
    bool freed_by_force(const Operation& receive, std::int64_t source) const;

    // matcher_requests.cpp: completing, persistent requests
    void feed_completion(const Context& context);
    void complete(const Context& context,
                  std::int64_t request,
                  const std::int64_t* status,
                  std::size_t place);
    void finish(OperationIndex index);
    void collect_waits(const Context& context);
    void wait_for_request(model::ProcessId process, std::int64_t request);
    void go_on_by_test(Operation& send);
    void feed_start(const Context& context);
    void start_request(const Context& context, std::int64_t id, std::size_t place);
    void feed_ready(const Context& context);
    void feed_free(const Context& context);
    void release_partitions(Request& request);

    // matcher_waves.cpp: collective operations
    void feed_collective(const Context& context);
    std::uint32_t order_of(const Context& context);
    std::uint32_t find_order(const std::string& key,
                             model::CommunicatorId communicator,
                             std::vector<model::ProcessId> members);
    void fill(const Context& context, Contribution& contribution) const;
    WaveIndex arrive(std::uint32_t order, std::uint32_t member, Contribution& contribution);
    WaveIndex new_wave(std::uint32_t order, std::uint64_t number);
    bool same_procedures(const Wave& wave) const;
    bool passable(WaveIndex index) const {
        return waves_[index].whole && !waves_[index].disagreeing;
    }
    void complete_wave(WaveIndex index, std::uint32_t member);
    void drop_wave(WaveIndex index);

    const model::Recording& recording_;
    const model::Execution& execution_;
    const std::vector<CallKind>& kinds_;
    Members& members_;
    MatchVisitor* visitor_;
    Outcomes outcomes_;
    bool track_waits_ = false;
    Waits waits_;
    std::vector<Forced> forced_;

    std::vector<Operation> operations_;
    std::vector<OperationIndex> free_operations_;
    FlatMap<Channel> channels_;
    std::vector<OperationIndex> unresolved_;  ///< wildcards whose source is not known
    std::vector<FlatMap<Request>> requests_;  ///< by process
    std::vector<Origin> origins_;
    std::vector<std::int32_t> free_origins_;
    std::vector<std::uint32_t> woken_;
    std::vector<model::ProcessId> unexpected_;

    std::vector<Wave> waves_;
    std::vector<WaveIndex> free_waves_;
    std::vector<Order> orders_;
    std::vector<std::uint32_t> order_of_communicator_;
    std::map<std::string, std::uint32_t> other_orders_;
    FlatMap<model::CommunicatorId> communicator_of_file_;
    Contribution scratch_;
    std::vector<std::uint32_t> tested_sends_;  ///< by process: Operation::tested, not matched
    std::vector<bool> finalizing_;             ///< by process: has called MPI_Finalize
    /// Calls that raised an MPI error before they did anything; sorted.
    std::vector<std::uint64_t> refused_;
    /// Processes that were told that something is wrong with what came; sorted.
    std::vector<model::ProcessId> truncated_;
};

}  // namespace mqinspect::analysis

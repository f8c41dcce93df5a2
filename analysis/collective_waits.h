/// The conditions of collective operations, MPI_Init and MPI_Finalize.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/waits.h"

namespace mqinspect::analysis {

/// Answers for one job; the sets that many ranks share are made once.
///
/// A rank has entered a collective operation while it is in a call of the same
/// function on the same communicator. A member that is elsewhere has either not
/// entered yet, or left already while others still wait for parts that are under
/// way. What tells is the internal traffic on the communicator: the peers of a rank's
/// unmet internal receives and sends are what it waits for. In an operation that
/// nobody leaves before all have entered, one member that waits for an absent one
/// proves that all absent ones are still to come; so does, for want of anything
/// better, that no member shows any traffic, unless the operation also waits for
/// processes elsewhere (MPI_Comm_spawn, MPI_Comm_accept). In the other operations each rank's
/// own traffic counts, and without it the condition is not certain. Over an
/// intercommunicator each group waits for the other one only.
class CollectiveWaits {
public:
    /// Keeps references. Sets are appended to `sets`.
    CollectiveWaits(const JobIndex& index,
                    const Matching& matching,
                    std::vector<std::vector<Node>>& sets);

    /// What a blocking collective call waits for; empty: it can go on.
    std::vector<Clause> of_call(Node node, const model::Call& call, model::CallClass call_class);
    /// The same for a call that is collective over some members only, which it does not
    /// name (MPI_Comm_create_group); nullopt: it is none, or nothing shows.
    std::optional<std::vector<Clause>> of_part_of_members(Node node, const model::Call& call);
    /// What a started nonblocking collective operation waits for; empty: nothing.
    std::vector<Clause> of_operation(Node node,
                                     const model::Call& call,
                                     const model::Operation& operation);
    /// `clauses` of a call or, if they leave open whom it waits for, what its lasting says.
    std::vector<Clause> if_call_lasts(Node node,
                                      const model::Call& call,
                                      std::vector<Clause> clauses);
    /// Empty if all ranks are in MPI_Finalize. Those of the rank's own world are sure to
    /// be waited for, those of other worlds only while they are connected with it.
    std::optional<Clause> of_finalize(Node node, const model::Call& call);
    /// Processes of other worlds on the communicator that have not called
    /// MPI_Comm_disconnect. Certain if no other communicator connects the rank with them.
    std::optional<Clause> of_disconnect(Node node, const model::Call& call) const;

private:
    struct Group {
        std::optional<model::Peer> root;
        bool roots_differ = false;
        std::optional<std::uint32_t> absent;  // set of members that are elsewhere
        std::optional<std::uint32_t> everybody;
        // Those that have not entered, by which of the groups waits for them.
        std::array<std::optional<std::uint32_t>, 2> late;
    };
    struct Started {
        std::uint32_t set = 0;             // members by how many they have started
        std::vector<std::int64_t> counts;  // of these, ascending; -1 for unknown ones
        bool all_known = true;
    };
    using GroupKey = std::pair<int, std::string_view>;  // communicator, function

    void find_groups();
    void add_to_group(const model::Call& call);
    bool is_in(Node node, const GroupKey& key) const;
    std::uint32_t absent(const GroupKey& key, Group& group);
    std::uint32_t late(Node node, const GroupKey& key, Group& group);
    std::vector<Node> find_late(const GroupKey& key, const std::vector<Node>& absent) const;
    Clause not_known(const model::Call& call) const;
    bool shows_only_progress(Node node) const;
    std::vector<Clause> if_it_lasts(Node node,
                                    const model::Call& call,
                                    model::CallClass call_class,
                                    const Clause& uncertain);
    std::vector<Clause> if_operation_lasts(Node node,
                                           const model::Call& call,
                                           const model::Operation& operation,
                                           const Clause& uncertain);
    std::uint32_t everybody(const model::Communicator& communicator, Group& group);
    std::vector<Clause> lasting(Node node, std::uint32_t everybody, const Clause& uncertain);
    bool waits_there_only(Node node,
                          const model::Call& call,
                          const model::Operation& operation) const;
    std::vector<Node> members(const model::Communicator& communicator) const;
    std::uint32_t add_set(std::vector<Node> nodes);
    Clause whole_set(std::uint32_t set, Clause::Kind kind, const model::Call& call) const;
    std::optional<Clause> by_rule(Node node,
                                  const model::Call& call,
                                  model::CallClass call_class,
                                  const GroupKey& key,
                                  Group& group);
    std::vector<Clause> of_synchronizing(Node node,
                                         const model::Call& call,
                                         model::CallClass call_class,
                                         const Clause& unknown);
    /// What the rank's internal traffic says that it waits for; empty: there is none,
    /// or it may be that of a nonblocking operation.
    std::optional<std::vector<Clause>> by_traffic(Node node,
                                                  const model::Call& call,
                                                  model::CallClass call_class) const;
    Clause initialize(Node node, const model::Call& call);
    bool shares_other_communicator(Node node, Node other, model::CommunicatorId id) const;

    bool has_foreign_traffic(Node node,
                             std::optional<model::CommunicatorId> id,
                             model::CallClass call_class) const;
    /// The rank's internal traffic on a communicator, or on all.
    struct Traffic {
        bool any = false;         ///< there is some
        bool certain = true;      ///< the peers, and what they have posted, are known
        std::vector<Node> peers;  ///< of the parts that nothing under way will meet
    };
    /// `plain`: its plain messages, too.
    Traffic traffic(Node node, std::optional<model::CommunicatorId> id, bool plain = false) const;
    /// What the rank's part of a nonblocking operation waits for.
    Traffic own_traffic(Node node, const model::Operation& operation) const;
    enum class FencePart { Unknown, First, Second };
    FencePart fence_part(Node node, const model::Call& call) const;
    const Started& started(const model::Communicator& communicator);
    std::vector<Node> late_parts(Node node, const model::Operation& operation) const;
    const model::Operation* same_operation(Node node, const model::Operation& operation) const;
    bool waits_for_same(Node node, const model::Operation& operation) const;

    const JobIndex& index_;
    const Matching& matching_;
    std::vector<std::vector<Node>>& sets_;
    std::map<GroupKey, Group> groups_;
    std::unordered_map<int, Started> started_;
    std::map<std::size_t, std::uint32_t> not_in_finalize_;  // by world
    std::map<std::size_t, std::uint32_t> not_in_init_;      // by world
};

/// "MPI_Init" and "MPI_Init_thread" go together.
bool is_initialization(std::string_view function);
/// Its group leaders also wait for each other, over a communicator of their own.
bool is_between_groups(const model::Call& call);

}  // namespace mqinspect::analysis

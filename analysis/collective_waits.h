/// The conditions of collective operations, MPI_Init and MPI_Finalize.
#pragma once

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
/// function on the same communicator. Where members may leave before others have
/// entered (all but the synchronizing operations), a member that is elsewhere may
/// have left already. There the rank's own internal traffic on the communicator is
/// the evidence: the peers of its unmet internal receives and sends are what it
/// waits for. Without such evidence the condition is not certain.
class CollectiveWaits {
public:
    /// Keeps references. Sets are appended to `sets`.
    CollectiveWaits(const JobIndex& index,
                    const Matching& matching,
                    std::vector<std::vector<Node>>& sets);

    /// What a blocking collective call waits for; empty: it can go on.
    std::vector<Clause> of_call(Node node, const model::Call& call, model::CallClass call_class);
    /// What a started nonblocking collective operation waits for; empty: nothing.
    std::optional<Clause> of_operation(Node node,
                                       const model::Call& call,
                                       const model::Operation& operation);
    /// Empty if all ranks are in MPI_Finalize.
    std::optional<Clause> of_finalize(const model::Call& call);

private:
    struct Group {
        std::optional<model::Peer> root;
        bool roots_differ = false;
        std::optional<std::uint32_t> absent;  // set of members that are elsewhere
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
    std::vector<Node> members(const model::Communicator& communicator) const;
    std::uint32_t add_set(std::vector<Node> nodes);
    Clause whole_set(std::uint32_t set, Clause::Kind kind, const model::Call& call) const;
    std::optional<Clause> by_rule(Node node,
                                  const model::Call& call,
                                  model::CallClass call_class,
                                  const GroupKey& key,
                                  Group& group);
    Clause initialize(const model::Call& call);

    bool has_collective_operation(Node node, model::CommunicatorId id) const;
    /// The rank's internal traffic on a communicator.
    struct Traffic {
        bool any = false;         ///< there is some
        bool certain = true;      ///< the peers, and what they have posted, are known
        std::vector<Node> peers;  ///< of the parts that nothing under way will meet
    };
    Traffic traffic(Node node, model::CommunicatorId id) const;
    const Started& started(const model::Communicator& communicator);
    bool waits_for_same(Node node, const model::Operation& operation) const;

    const JobIndex& index_;
    const Matching& matching_;
    std::vector<std::vector<Node>>& sets_;
    std::map<GroupKey, Group> groups_;
    std::unordered_map<int, Started> started_;
    std::optional<std::uint32_t> not_in_finalize_;
    std::optional<std::uint32_t> not_in_init_;
};

/// "MPI_Init" and "MPI_Init_thread" go together.
bool is_initialization(std::string_view function);

}  // namespace mqinspect::analysis

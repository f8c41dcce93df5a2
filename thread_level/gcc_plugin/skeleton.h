/// A control-flow graph, right after GCC has made it, as the facts of its function.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/comparisons.h"
#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {

/// What a variable of the function, of which nobody has the address, is where the program has come
/// to.
struct KnownNumber {
    tree variable = NULL_TREE;
    std::int64_t number = 0;
    bool is_or_more = false;  ///< the number, or one above it
};

class Skeleton {
public:
    Skeleton(Gathering& gathering, Callees& callees, const Preparation& prepared)
        : gathering_(gathering),
          callees_(callees),
          prepared_(prepared),
          written_(
              prepared.argument_copies, callees, [this](edge e) { return implication_of(e); }) {}

    /// Regions and steps of `fun`, which is what was prepared. Call it once.
    Function build(function* fun);

    /// The statement of each step; null if it has none.
    std::vector<gimple*> statements;

private:
    using NodeId = std::uint32_t;
    /// Construct or guard around blocks. Facts may have no region of it: then it has its parent's.
    struct Node {
        NodeId parent = 0;
        RegionId region = 0;
        bool is_guard = false;
    };
    /// Of a branch.
    struct Side {
        edge along = nullptr;
        Implication said;
    };
    struct Block {
        StepId first = kNone;
        StepId last = kNone;
    };

    void visit_blocks(function* fun);
    void visit_block(basic_block block, NodeId node);
    NodeId node_at_start(basic_block block, NodeId dominator_node);
    Implication implication_of(edge guarding) const;
    static std::vector<edge> ways_into(basic_block block);
    std::vector<Side> said_on_way(edge last, basic_block first) const;
    Side said_on_all(const std::vector<edge>& ways, basic_block block) const;
    Side said_of_optional(const std::vector<edge>& ways) const;
    Side said_beside_end(const std::vector<edge>& ways) const;
    NodeId add_common_guard(edge guarding, NodeId outer);
    Implication common_side(edge way) const;
    void find_settled(function* fun);
    bool is_settled(tree variable, basic_block block);
    Branch settled_test(basic_block block);
    void add_settled_ways();
    static bool comes_by(basic_block block, const gimple* statement);
    NodeId add_guard(edge guarding, NodeId outer, const Implication& side);
    NodeId add_empty_guard(edge guarding, NodeId outer);
    NodeId add_written_guards(edge guarding, NodeId outer);
    bool starts_kept(NodeId node, const gimple* call) const;
    void note_provided(const Implication& side, RegionId region);
    gimple* only_write_before(tree variable, basic_block block);
    std::optional<bool> side_behind_writes(basic_block block);
    bool is_never_taken(edge e);
    bool is_first_of_two(edge guarding, RegionId region) const;
    NodeId visit_construct(basic_block block, gimple* statement, NodeId node);
    NodeId open(basic_block block, gimple* statement, NodeId node);
    NodeId close(basic_block block, gimple* statement, NodeId node);
    NodeId enter(basic_block block, gimple* statement, NodeId node, Region region);
    void leave(basic_block block, gimple* statement, NodeId node);
    void visit_turn(basic_block block, gimple* statement, NodeId node);
    void visit_call(basic_block block, gcall* call, NodeId node);
    bool spare_moved(basic_block block, const gimple* call, Step& step) const;
    void visit_behind(basic_block block, gcall* call, CalleeKind kind, Step step);
    void visit_once(basic_block block, gcall* call, NodeId node, Step step, const Value& flag);
    RegionId add_once(const gimple* call, NodeId node);
    void visit_try_lock(basic_block block, gcall* call, const Step& step);
    bool visit_chosen_start(basic_block block, gcall* call, const Step& step);
    bool visit_start(basic_block block, gcall* call, const Step& step);
    bool is_next(basic_block block, basic_block testing, const gimple* call) const;
    void visit_own_try(basic_block block, gcall* call, const Step& step);
    void note_constant_try(function* fun);
    bool expects_again(basic_block block, const gimple* call, int failing_side) const;
    void keep_outcome(basic_block block, gcall* call, const Step& taken, bool zero_means_held);
    bool has_tries() const;
    bool is_idle_block(basic_block block) const;
    bool is_passed(basic_block block) const;
    std::vector<StepId> reached(edge e, const Comparisons::Known& known) const;
    void connect_along(edge e, StepId from, const Comparisons::Known& known);
    void connect_by_conditions(function* fun);
    bool gives_up(basic_block block, basic_block testing, int failing_side) const;
    void check_own_turns() const;
    void add_ways_around();
    void add_way_around(edge guarding, edge around, RegionId id);
    void add_ways_past();
    void add_ways_past(const edge_def* guarding, RegionId id);
    void connect(function* fun);
    void connect_edge(edge e, StepId to);
    std::optional<KnownNumber> number_behind(gimple* assignment);
    const std::vector<gimple*>& writes_of(tree variable);
    std::vector<StepId> known_ways(edge e);
    bool is_mere_branch(basic_block block) const;
    bool follow_known(edge e,
                      const KnownNumber& number,
                      int branches,
                      std::vector<StepId>& ways) const;
    void connect_after_sections(edge e);
    void mark_conditional_locks();
    void visit_constructor(basic_block block, const gcall* call, const Step& step);
    bool is_caught(function* fun, const Step& step, gimple* statement);
    void mark_unwinding(function* fun);
    bool is_done_there(StepId id) const;
    bool is_one_sided(basic_block block, Value& variable) const;

    StepId add_step(basic_block block, Step step, gimple* statement);
    Step make(StepKind kind, RegionId region, location_t location);

    Gathering& gathering_;
    Callees& callees_;
    const Preparation& prepared_;
    WrittenArguments written_;
    Function function_;
    std::vector<Node> nodes_{Node{}};
    std::vector<NodeId> node_at_end_;  // by index of the block
    std::vector<Block> blocks_;
    std::unordered_map<edge, StepId> on_edge_;  // what is done on this way only
    /// Of a try whose result a variable has at the end of a block.
    struct Outcome {
        tree variable = NULL_TREE;
        bool zero_means_held = false;
        StepId held = kNone;
        StepId last = kNone;  ///< of the block, as the try comes
    };
    std::unordered_map<basic_block, Outcome> outcomes_;
    bool tries_ = false;                        ///< a lock, on some edge
    const Comparisons* comparisons_ = nullptr;  // while steps are connected by them
    std::vector<std::pair<edge, RegionId>> guards_;
    std::unordered_map<const gimple*, Branch> settled_;  ///< see find_settled()
    std::unordered_map<NodeId, tree> empty_;             ///< guards of variables without a thread
    std::vector<basic_block> block_of_step_;
    std::unordered_map<tree, std::vector<gimple*>> writes_;  // once writes_of() was asked
    bool writes_collected_ = false;
    bool has_own_dominators_ = false;  ///< to be freed
};

/// The side of the branch at the end of `block` that is taken; nothing if that is not known.
std::optional<bool> side_taken(const KnownNumber& known, basic_block block);
/// Whether `variable` is 0 where the branch at the end of `block` is taken; nothing if the branch
/// does not tell.
std::optional<bool> is_zero_if_true(basic_block block, tree variable);
/// Where the result of a call is tested that comes at the end of `block`: in the next one, if the
/// call may throw.
basic_block testing_block(basic_block block, const gimple* call);
/// Whether some way leads from behind `from` to `to`, and not through `without`. True where that
/// takes too long to find out.
bool leads_to(basic_block from, basic_block to, basic_block without);
/// Of the function, and nothing but its own assignments changes it.
bool is_plain_number(tree variable);
/// Whether only exceptions lead to `block`.
bool is_behind_throw(basic_block block);
/// The edge back to the dispatch of sections: the next section is another thread's affair.
bool is_section_dispatch(const edge_def* e);
/// Null: `block` has none.
gimple* last_statement(basic_block block);

}  // namespace mqinspect::thread_level::plugin

/// What a condition on a variable or a member says of the function's arguments, by what has been
/// written there on the ways to it: `it%shared = .true.; if (present(shared)) it%shared = shared`,
/// and later `if (it%shared)`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

/// That a parameter, as it was handed in, is a number, or is another one.
struct ArgumentFact {
    Value tested;
    std::int64_t number = 0;
    bool is_equal = false;

    bool operator==(const ArgumentFact&) const = default;
};

/// All that holds; nothing: nobody comes there.
using ArgumentFacts = std::optional<std::vector<ArgumentFact>>;

/// Of a control-flow graph, right after GCC has made it.
class WrittenArguments {
public:
    /// Parameters that assignments of the function write, as they were handed in.
    using Copies = std::unordered_map<const gimple*, Value>;

    /// `copies` must outlive it. `said`: what a branch says by itself where that way is taken.
    WrittenArguments(const Copies& copies, Callees& callees, std::function<Implication(edge)> said)
        : copies_(copies), callees_(callees), said_(std::move(said)) {}

    /// What holds wherever the way is taken; empty if nothing is known.
    std::vector<ArgumentFact> on_way(edge e);

private:
    /// Whether an operand is `number`, or is not.
    struct Test {
        std::int64_t number = 0;
        bool is_equal = false;
    };
    ArgumentFacts where(tree operand, const Test& test, gimple* reader, int depth);
    ArgumentFacts where_made(gimple* assignment, Test test, int depth);
    ArgumentFacts where_both(gimple* assignment, const Test& test, int depth);
    /// What is known at the ends of blocks; nothing: no way that leads there has been found so far.
    struct Reached {
        ArgumentFacts facts;
        bool is_set = false;  ///< by a write, whatever comes in front
    };
    using Ends = std::unordered_map<basic_block, Reached>;
    bool find_ends(tree place,
                   const Test& test,
                   const gimple* reader,
                   int depth,
                   Ends& ends,
                   std::vector<basic_block>& passed);
    ArgumentFacts at_start(basic_block block, Ends& ends);
    ArgumentFacts where_read(tree place, const Test& test, gimple* reader, int depth);
    ArgumentFacts on_only_way(basic_block block);
    ArgumentFacts where_copied(const Value& parameter, const Test& test, tree place) const;
    /// What `place` has in front of `at`, if something in the same block tells.
    std::optional<ArgumentFacts> set_in_front(gimple_stmt_iterator at,
                                              tree place,
                                              const Test& test,
                                              int depth);
    std::optional<ArgumentFacts> set_by(gimple* statement, tree place, const Test& test, int depth);
    bool may_call_write(const gcall* call, tree place);

    const Copies& copies_;
    Callees& callees_;
    std::function<Implication(edge)> said_;
    std::unordered_map<edge, std::vector<ArgumentFact>> known_;
    int nested_ = 0;
};

}  // namespace mqinspect::thread_level::plugin

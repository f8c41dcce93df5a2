/// Variables by which threads hand on the turn: a flag, or whose turn it is.
#pragma once

#include <cstdint>
#include <optional>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Whether the unit alone can write to `variable`, and a number is in it.
bool is_turn_variable(tree variable);

/// What a branch says of such a variable where its condition is true.
struct TurnTest {
    tree variable = NULL_TREE;
    std::int64_t number = 0;
    bool is_equal = false;
};
std::optional<TurnTest> turn_test(gimple* condition, Values& values);

/// Of a branch (Acquire) with its side, as a step.
Step step_of(const TurnTest& test, bool is_true, Gathering& gathering);
/// Of an assignment (Release).
Step turn_write(gimple* assignment, Gathering& gathering);
/// A semaphore is 0 until it is posted, and who has waited has the turn. One that is 1 at first is
/// a lock.
Step semaphore_step(const LocatedCall& at, Values& values, Gathering& gathering);

/// Drops what is of variables that the unit writes in other ways, too, or never tests.
void settle_turns(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

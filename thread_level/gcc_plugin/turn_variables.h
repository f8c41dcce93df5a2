/// Variables by which threads hand on the turn: a flag, or whose turn it is.
#pragma once

#include <cstdint>
#include <optional>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

class TurnUses;

/// As steps name it.
struct TurnVariable {
    Value value;
    StringId owner = 0;            ///< as in TurnLocal; 0: it is static
    tree declaration = NULL_TREE;  ///< of a static one
};

/// Whether its type says that threads have to do with it: volatile, atomic, or what they wait at.
bool is_for_threads(tree variable);
/// Whether `variable` is static, and either the unit alone knows it, or it is_for_threads(), or is
/// a number of this unit.
bool is_own_variable(tree variable);
/// Whether other units may write to it, too.
bool is_of_all_units(tree variable);
/// The same, and a number is in it.
bool is_turn_variable(tree variable);
/// Of one that is_own_variable().
TurnVariable static_variable(tree variable, Gathering& gathering);

/// What a branch says of such a variable where its condition is true, or false.
struct TurnTest {
    TurnVariable variable;
    Value number;  ///< a constant, or what the function is handed; Unknown: `variable` is a lock
    bool is_equal = false;
    bool is_known_if_true = true;
    bool is_known_if_false = true;
    /// Says something only if the variable counts, see job_counts.h: that it is 0 if `number` is,
    /// else that it has come to what it is compared with.
    bool is_of_count = false;
};
std::optional<TurnTest> turn_test(const Located& condition,
                                  SourceWalk& source,
                                  Values& values,
                                  TurnUses& uses);
/// The same, where `left` CODE `right` is asked.
std::optional<TurnTest> turn_test(
    tree_code code, tree left, tree right, SourceWalk& source, Values& values, TurnUses& uses);

/// Of a branch (Acquire) with its side, as a step; nothing if that side is not known. Of a count it
/// has a second argument.
std::optional<Step> step_of(const TurnTest& test, bool is_true);
/// What is known where the function returns true.
std::optional<Step> returned_test(SourceWalk& source, Values& values, TurnUses& uses);
/// Behind what waits until the variable is not `old` any more.
Step wait_step(const TurnVariable& variable, std::int64_t old);
/// Nothing if it is known neither what is `written` nor that it has to do with nothing else.
/// `may_be_computed`: it may be anything, for there are no teams while it is written.
std::optional<Step> write_step(const TurnVariable& variable,
                               tree written,
                               Values& values,
                               Gathering& gathering,
                               bool may_be_computed = false);
Value constant(std::int64_t number);
/// Of a lock (Acquire, Release).
Step lock_step(StepKind kind, const Value& lock);
/// What `variable` is at first, as far as the unit tells.
void add_first_value(Step& step, tree variable);

/// Drops what is of variables that the unit writes in other ways, too, or never tests.
void settle_turns(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

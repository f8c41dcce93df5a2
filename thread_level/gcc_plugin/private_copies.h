/// Static variables that an OpenMP construct makes private.
///
/// Until omplower, statements in the construct name the static variable where they mean the copy
/// that each thread has. While a function is looked at, a variable of the function takes its place
/// there.
#pragma once

#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {

/// Whether a variable has static storage, be it as a member of a COMMON block.
bool is_static(tree variable);

class PrivateCopies {
public:
    explicit PrivateCopies(Callees& callees) : callees_(callees) {}

    /// Whether a clause is about a static variable of which the body of `construct` has a copy with
    /// a value of its own.
    bool makes_copy(tree clause, gimple* construct);
    /// For a variable with static storage, from here to leave(): what takes its place.
    tree enter(tree variable);
    /// Forgets the last ones that were entered.
    void leave(std::size_t count);
    /// What the operands of the statement mean.
    void replace_in(gimple* statement);
    /// Gives all statements back the operands that GCC made.
    void restore();

private:
    struct Replaced {
        gimple* statement = nullptr;
        unsigned position = 0;
        tree operand = NULL_TREE;
    };
    Callees& callees_;
    std::vector<std::pair<tree, tree>> copies_;  ///< of what, and the copy; inner ones come last
    std::vector<Replaced> replaced_;
};

}  // namespace mqinspect::thread_level::plugin

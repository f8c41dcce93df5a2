/// Smart pointers that the function has found to be null when it puts something into them, in C++.
///
/// `if (!only) only = std::make_unique<Library>();` destroys nothing: what an assignment destroys
/// is what the pointer has had before.
#pragma once

#include <unordered_map>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

class EmptyPointers {
public:
    EmptyPointers(SourceWalk& source, Values& values) : source_(source), values_(values) {}

    /// Of the function that is looked at. Forgets the one before.
    void find();
    bool has_any() const { return !tests_.empty(); }
    /// Whether the call, at the end of `block` of the control-flow graph, puts something into a
    /// pointer that is null on all ways there. Dominators have to be there.
    bool fills_null(const gimple* call, basic_block block) const;

private:
    /// What a condition says of the pointer at `address`.
    struct Test {
        tree address = NULL_TREE;
        bool is_null_if_true = false;
    };

    tree address_of(tree operand) const;
    void note_fill(gimple* call);
    void note_test(const gcond* condition);
    Test test_of(tree operand, bool is_null_if_true, int depth) const;

    SourceWalk& source_;
    Values& values_;
    std::unordered_map<const gimple*, tree> fills_;  // by call: where the pointer is
    std::unordered_map<const gimple*, Test> tests_;  // by condition
};

}  // namespace mqinspect::thread_level::plugin

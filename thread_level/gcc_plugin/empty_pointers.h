/// Smart pointers, and variables with threads, that the function has found to be empty when it puts
/// something into them, in C++.
///
/// `if (!only) only = std::make_unique<Library>();` destroys nothing: what an assignment destroys
/// is what the pointer has had before. And `if (!worker.joinable()) worker = std::thread(work);`
/// starts one thread at a time. So does `if (!server) server = new Server;`, of a class with a
/// thread as a member, which ends the process if it is destroyed before it is joined.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

class EmptyPointers {
public:
    EmptyPointers(Gathering& gathering, SourceWalk& source, Values& values)
        : gathering_(gathering), source_(source), values_(values) {}

    /// Of the function that is looked at: what it does to variables with threads by which such may
    /// go on without them.
    void find_losses();
    /// The rest, behind that. Forgets the function before.
    void find();
    bool has_any() const { return !tests_.empty(); }
    bool is_test(const gimple* condition) const { return tests_.contains(condition); }
    /// Whether the call, at the end of `block` of the control-flow graph, puts something into a
    /// pointer that is null on all ways there. Dominators have to be there.
    bool fills_null(const gimple* call, basic_block block) const;

    /// Of one side of a branch: the variable that it has found to have no thread, if the function
    /// starts one in that. Null: it is no such side.
    tree found_without_thread(const gimple* condition, bool is_true_side) const;
    /// Whether `call` starts the thread that is put into that variable.
    bool starts_in(tree variable, const gimple* call) const;

private:
    /// What a condition says of the variable.
    struct Test {
        tree variable = NULL_TREE;
        bool is_null_if_true = false;
    };
    /// `variable = std::thread(work)`, where `thread` is the temporary, or its address.
    struct Keep {
        tree variable = NULL_TREE;
        tree thread = NULL_TREE;
    };

    tree variable_at(tree operand) const;
    void note_fill(gimple* call);
    void note_keep(tree thread, tree variable);
    void note_copied_addresses();
    void note_written_pointer(const gimple* assignment);
    void note_emptied_pointer(const gimple* assignment);
    void lose(tree address);
    void note_test(const gcond* condition);
    Test test_of(tree operand, bool is_null_if_true, int depth) const;

    Gathering& gathering_;
    SourceWalk& source_;
    Values& values_;
    std::vector<Keep> keeps_;
    bool joins_ = false;                             ///< the function joins or destroys threads
    std::unordered_map<const gimple*, tree> fills_;  // by call: the pointer
    std::unordered_map<const gimple*, Test> tests_;  // by condition
};

/// The member or variable that `variable` is, whichever object it is in: DECL_UID.
unsigned keeper_of_thread(tree variable);
/// The class, as class_number(), if it is a member of an object that the function is handed; else
/// 0.
unsigned class_with_keeper(tree variable);
/// Members that keep threads of the object that the variable points to: DECL_UID.
std::vector<unsigned> threads_of_object(tree variable);
/// At the end of the unit: guards on such variables say nothing where threads may go on without
/// them, or there may be several of the variable.
void settle_empty_guards(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

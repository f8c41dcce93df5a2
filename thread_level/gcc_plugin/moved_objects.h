/// Objects of a function that are moved to somewhere else, in C++.
///
/// What an object has, such as a thread that its destructor joins, goes along when it is moved:
/// behind `worker = std::make_unique<Worker>()` the thread of the temporary runs on, though that is
/// destroyed. The same goes for what `worker.reset(new Worker)` hands over. See Step::moved.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

class MovedObjects {
public:
    MovedObjects(Gathering& gathering, SourceWalk& source, Values& values)
        : gathering_(gathering), source_(source), values_(values) {}

    /// Of the function that is looked at. Forgets the one before.
    void find();

    /// Says what the call has to do with such objects.
    void note(const LocatedCall& at, Step& step) const;

    /// Of a call that destroys an object which has been moved on some ways.
    struct Leftover {
        std::vector<gimple*> moves;
        std::vector<gimple*> fills;  ///< what puts something into it
        bool is_nothing = false;     ///< a smart pointer: it destroys nothing
        bool is_emptied = true;      ///< no assignment that the program defines has moved it
        bool is_sure = false;        ///< a temporary, which is moved as soon as it is there
    };
    /// Null: it is no such call.
    const Leftover* leftover_of(const gimple* call) const;
    bool has_leftovers() const { return !leftovers_.empty(); }
    /// Whether, in the control-flow graph, the object has been moved on all ways to `block`, where
    /// it is destroyed. Dominators have to be there.
    static bool is_left(const Leftover& leftover, basic_block block);

private:
    struct Object {
        std::vector<gimple*> moves;
        std::vector<gimple*> fills;
        bool is_emptied = true;
    };

    void note_moves(gimple* call);
    void note_reset(gimple* call);
    bool is_elsewhere(tree operand) const;
    void add_move(gimple* call, tree object, bool is_emptied);
    void collect_fills();
    void note_parts(gimple* call);
    void note_destructor(gimple* call, tree callee);
    tree object_at(tree operand) const;
    tree content_of(tree object, int depth) const;
    tree content_behind(gimple* fill, tree object, int depth) const;
    bool is_of_library(tree callee) const;
    bool knows_move(tree callee, tree object) const;

    Gathering& gathering_;
    SourceWalk& source_;
    Values& values_;
    std::unordered_map<tree, Object> objects_;                  // that are moved
    std::unordered_map<const gimple*, bool> from_elsewhere_;    // assignments from other objects
    std::unordered_map<const gimple*, tree> handed_;            // by calls that move: which one
    std::unordered_map<tree, std::uint32_t> numbers_;           // of what is in objects
    std::unordered_map<const gimple*, std::uint32_t> users_;    // calls that use what is in one
    std::unordered_map<const gimple*, std::uint32_t> sparing_;  // calls that move it
    std::unordered_map<const gimple*, Leftover> leftovers_;
};

/// Whether the call, in a function of the library, destroys what has no content: elements of a
/// container that have been moved to other memory, and what a map has not put into itself.
bool destroys_nothing(tree function, tree callee);

}  // namespace mqinspect::thread_level::plugin

/// Classes of which the unit has one object only, so that a member is one variable.
#pragma once

#include <string>

#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {

/// By which Gathering knows a class, and its variants.
unsigned class_number(tree type);

/// What a part is of, and how it is called behind that.
struct Part {
    tree whole = NULL_TREE;  ///< a variable, or `*pointer`; null: an element is on the way
    std::string path;        ///< ".member.member"
};
Part part_in(tree reference);

/// Whether control may come back to the block, by no way through `without`, if that is given.
bool is_in_cycle(basic_block block, basic_block without = nullptr);

/// Objects that a loop of the function makes, which GCC has the graph of, are not the only ones.
void lose_objects_of_loops(Gathering& gathering,
                           const std::vector<TurnUses::Allocation>& allocations);

/// Remembers that `name` stands for a lock in `*pointer`, as `reference` has it.
void note_lock_part(Gathering& gathering, tree reference, StringId name);

/// At the end of the unit: locks in the only object of a class are one lock, if that is a static
/// one or of main().
void settle_lock_parts(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

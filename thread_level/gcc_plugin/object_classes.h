/// Classes of the objects that functions are called with, or threads start with: those tell which
/// virtual functions are meant further down.
#pragma once

#include <string>

#include "thread_level/gcc_plugin/pruning.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Of what a member function is called with, where the pointer is to a class that is derived from
/// that of the function, or what a thread starts with by `address`; as in slot_key(), without a
/// slot. 0: that says nothing.
StringId class_called_with(const gcall* call, Values& values, Gathering& gathering);
StringId class_started_with(tree address, Values& values, Gathering& gathering);
/// The tables of the classes that steps still name, once that is settled. `functions`: those of the
/// unit before some were left out.
void add_tables(Gathering& gathering, const FunctionsBySymbol& functions, const Symbols& idle);
/// Of a local pointer to a member function, `object`, which is set once: the slot of the virtual
/// function, as in slot_key(); empty: it is another one.
std::string virtual_member_in(tree object, SourceWalk& source);

}  // namespace mqinspect::thread_level::plugin

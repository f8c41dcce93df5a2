/// Members of classes that point to a lock. Where all that the unit writes to one is the same lock,
/// the member is that, in whatever object.
///
/// In a guard that the program writes itself it is what the constructor was handed, which its
/// caller knows; the destructor's does not. So who calls a member of a local object hands over,
/// behind the arguments, what the object's constructor was handed. What has such a guard as a
/// member or base hands on what its own constructor was handed.
/// For guards in guards see guard_members.h.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What the function that GCC is at puts into such members.
void note_lock_members(Gathering& gathering, SourceWalk& source, Values& values);

/// A lock that is a local variable of `function`, as all functions know it: at the end of the unit.
Value known_to_all(Gathering& gathering, const Value& local, tree function);

/// The function writes a lock to the member `name`, which `member` refers to.
void note_lock_in(
    Gathering& gathering, tree member, StringId name, const Value& lock, ContextId context);
/// With the object, without what there may be of variable arguments.
std::size_t parameters_of(tree method);

/// Local objects whose constructor gets a lock, by the DECL_UID of the variable; null: several
/// calls, or different ones.
using ConstructorCalls = std::unordered_map<unsigned, const LocatedCall*>;
ConstructorCalls constructors_with_locks(const SourceWalk& source);
/// Of a call of a member.
void add_constructor_arguments(const ConstructorCalls& constructors,
                               Values& values,
                               const LocatedCall& at,
                               std::vector<Value>& arguments);

/// At the end of the unit: such members as what they are.
void settle_lock_members(Gathering& gathering);
/// How many arguments of a constructor are handed over.
inline constexpr int kMostConstructorArguments = 4;

}  // namespace mqinspect::thread_level::plugin

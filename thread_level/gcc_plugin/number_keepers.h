/// What keeps the number of the thread, or whether that is 0: a member of a class, a variable that
/// each thread has for itself, or what a parameter refers to. All that the unit writes to it tells,
/// when the unit is complete.
#pragma once

#include <optional>

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/pruning.h"

namespace mqinspect::thread_level::plugin {

/// Nothing: `name` is that of a function.
std::optional<Returns> returns_of_keeper(const Gathering& gathering, StringId name);

/// Whether other units may have it, too. Of its DECL_UID; and of what guards call it.
bool is_of_others(const Gathering& gathering, unsigned keeper);
bool is_shared_keeper(const Gathering& gathering, StringId name);

/// Keepers that get what others have, or functions return.
void settle_copies(Gathering& gathering, const FunctionsBySymbol& functions);
/// Keepers that get whether the number is 0 that others have, or functions return.
void settle_kept_flags(Gathering& gathering, const FunctionsBySymbol& functions);
/// What a guard on a keeper says, as far as this unit tells. False: it asks a function.
bool settle_keeper(Gathering& gathering, Region& guard);

/// What is asked of a function's result, as of the member that it returns, if it does.
void follow_result(const Gathering& gathering, Condition& condition, StringId& wrapper);

/// Of a guard that asks for a member of what a thread may start with, ArgumentIs, or for what a
/// region writes to it, by the `wrapper`: for the one or the other. `counted`: see
/// counted_members().
void settle_member_asked(const Gathering& gathering,
                         Region& guard,
                         const std::unordered_set<StringId>& counted);

/// What functions are handed that a variable keeps which each thread has for itself,
/// or that a function of the unit returns.
void settle_handed_numbers(Gathering& gathering);

/// What the unit writes to members that others have, too.
void add_numbers(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

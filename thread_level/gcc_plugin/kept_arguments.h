/// Members, and variables of each thread, that a function writes its arguments to: they keep the
/// number of the thread if that is what all callers hand over, in whichever units these are.
#pragma once

#include <unordered_map>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Of functions of the unit with several names, as C++'s constructors: which one has the body.
class Bodies {
public:
    explicit Bodies(Gathering& gathering);

    /// `name` itself, if it is no other name of a function.
    StringId body_of(StringId name) const;

private:
    std::unordered_map<StringId, StringId> bodies_;  // by the other names
};

/// Those steps of the `function`, by what writes, of variables that each thread has.
void add_keeps(const Gathering& gathering,
               tree function,
               std::unordered_map<const gimple*, Step>& steps);
/// In which members the numbers are that constructors get of objects that threads start with.
void settle_constructed_numbers(Gathering& gathering);
/// Likewise, of aliases of numbered_object(): the member with the number, or what it is instead.
void settle_numbered_objects(Gathering& gathering);
/// Adds steps that say so to functions whose callers may have numbers of threads; what is written
/// to others is something else. Constants say nothing.
void settle_kept_arguments(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

/// Classes of which each object has a number of its own, as workers have: the unit makes them in
/// one loop, that hands each constructor another number, which a member keeps. A thread that is
/// started with another object each time is one with another number.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What the function that is looked at makes, outside of the C++ library, also by that:
/// `workers.emplace_back(i)`, std::make_unique<Worker>(i).
void note_made_objects(Gathering& gathering, Values& values, SourceWalk& source);

/// Of what a thread is started with, outside of regions: Value::Kind::Counted, by an alias, if it
/// points to another object each time, or is an object that has such a pointer. That is an element
/// of a container, or `this` where the object itself keeps the thread, as `handle`, or is being
/// made. Else `instead`.
Value numbered_object(
    Values& values, SourceWalk& source, tree started, const Value& handle, const Value& instead);

}  // namespace mqinspect::thread_level::plugin

/// Functions that are handed over as members of an object: `struct job job = {.run = receive};` and
/// `pthread_create(&thread, 0, start, &job)`, where start() calls `job->run(job->argument)`.
#pragma once

#include <vector>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Of each function: which such members it writes to.
void note_function_members(Gathering& gathering, const SourceWalk& source);

/// Of a call's only argument, or what a thread starts with: the members of that object which are
/// one function each, as Value::Kind::Function has them. The object is a local variable, or a
/// static one that other units don't know.
std::vector<Value> functions_in_members(
    Gathering& gathering, Values& values, SourceWalk& source, Callees& callees, tree argument);

/// The member of what a parameter points to that `pointer` is read from, if it is one; else
/// Unknown.
Value called_member(Gathering& gathering, Values& values, tree pointer, ContextId context);

/// At the end of the unit: leaves out what is written to elsewhere, and what nothing comes of.
void settle_function_members(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin

/// Copies that OpenMP makes of a variable for each thread, as far as all of them have one value.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

class Values;

/// Whether the body of `construct` may write to `variable`, but for what copyprivate tells all
/// threads, or hands its address to who may.
bool may_be_written(tree variable, gimple* construct, Callees& callees);

/// Whether it is MPI's, and does more with `variable`, whose address it gets, than to use a handle.
bool writes(const gimple* call, tree variable, Callees& callees);

/// Whether it is MPI's, and waits for, tests or frees the request at that position.
bool completes(const gcall* call, unsigned position, Callees& callees);

/// Whether all threads of the innermost parallel region around `context` have one local `variable`,
/// or copies of one handle.
bool have_one(tree variable, ContextId context, SourceWalk& source, Callees& callees);

/// The request that a local `variable` is a copy of, if each thread that copies it may have that
/// one: it is static, in a Value that is `created_once`, or all threads of a parallel region have
/// one. Else Unknown.
Value copied_request(tree variable, Values& values, SourceWalk& source, Callees& callees);

}  // namespace mqinspect::thread_level::plugin

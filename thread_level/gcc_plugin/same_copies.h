/// Copies that OpenMP makes of a variable for each thread, as far as all of them have one value.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

/// Whether the body of `construct` may write to `variable`, but for what copyprivate tells all
/// threads, or hands its address to who may.
bool may_be_written(tree variable, gimple* construct, Callees& callees);

/// Whether it is MPI's, and does more with `variable`, whose address it gets, than to use a handle.
bool writes(const gimple* call, tree variable, Callees& callees);

/// Whether all threads of the innermost parallel region around `context` have one local `variable`,
/// or copies of one handle.
bool have_one(tree variable, ContextId context, const SourceWalk& source, Callees& callees);

}  // namespace mqinspect::thread_level::plugin

/// What variables and members that are pointers to functions point to: `static handler on_error =
/// report;`, `table.send = send_by_mpi`, Fortran's `solver%step => step_serial`. A call by such a
/// pointer calls one of those, and no other function of the type.
///
/// A variable is static, also an array of such pointers. A member is that of all objects of the
/// class. What a function is handed that writes it there is what its calls hand over. What comes
/// from anywhere else than from a function's name, or the same member, can't be told; nor can
/// pointers whose address is taken.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/pruning.h"
#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What the function that is walked writes to such pointers.
void note_pointed_functions(Gathering& gathering, SourceWalk& source);

/// The variable or member that `pointer`, which is called by, has been read from, as
/// Step::callee has it; Unknown: it is something else.
Value pointer_called_by(Gathering& gathering, Values& values, tree pointer);

/// Once all functions are known, and those are left out that nothing has to be said of: fills
/// Unit::pointed. Calls by pointers that can't be told lose their Step::callee. `functions`: those
/// that were there before.
void add_pointed_functions(Gathering& gathering,
                           const FunctionsBySymbol& functions,
                           const Symbols& idle);

}  // namespace mqinspect::thread_level::plugin

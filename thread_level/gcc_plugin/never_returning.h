/// Functions that end the program, or wait for ever: whoever comes past a branch to a call of one
/// has taken the other side.
#pragma once

#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/pruning.h"

namespace mqinspect::thread_level::plugin {

/// The function that comes last in a block and may never return, as a guard names it: see
/// name_of_end(). Empty: there is none. Of MPI_Abort it is sure.
struct BlockEnd {
    StringId name = 0;
    bool is_sure = false;
};
BlockEnd end_of(basic_block block, Callees& callees, Gathering& gathering);

/// Adds a function that does nothing else, if it is such; false: it may return.
bool note_without_return(const function* fun, Gathering& gathering);

/// Finds the functions of the unit that don't, and drops guards that hang on those that do.
void settle_never_returning(Gathering& gathering, const FunctionsBySymbol& functions);

}  // namespace mqinspect::thread_level::plugin

/// What functions of the unit say of the number of the thread, once all of it is there.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/pruning.h"

namespace mqinspect::thread_level::plugin {

/// What functions return that ask others of the unit for the number of the thread.
void settle_returns(Gathering& gathering, const FunctionsBySymbol& functions);

/// Of a guard on what a function says of the number of the thread that it is handed; true: it is
/// for one thread.
bool settle_test(const Gathering& gathering, Region& guard, Returns& returns);

}  // namespace mqinspect::thread_level::plugin

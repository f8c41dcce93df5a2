/// Members of objects that give teams their size: omp_set_num_threads(p->threads), and
/// num_threads(p->threads). Region::name of parallel regions.
#pragma once

#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

struct GivenSize {
    StringId member = 0;           ///< "class::member"; 0: there is none, or it is not known
    const gimple* call = nullptr;  ///< the only one, if it is given by such
};

/// What gives each team of `parallel`, a construct of the function, its size, if all ways there
/// come by the call.
GivenSize given_size(Gathering& gathering,
                     Values& values,
                     SourceWalk& source,
                     const Located& parallel);

/// Forgets those that teams of the unit may write to. The team writes have to be settled.
void settle_given_sizes(Gathering& gathering);

/// Of a guard on a member that was taken for one on the provided level, and is none: `> 1` may ask
/// for the size of a team.
void take_for_size(Region& guard);

/// Whether a guard may ask for such a member: only the whole program tells what it says.
bool settle_size_guard(const Gathering& gathering, Region& guard);

}  // namespace mqinspect::thread_level::plugin

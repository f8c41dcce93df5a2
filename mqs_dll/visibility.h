/// What a device keeps from the debugger, by structure.
#pragma once

#include <cstdint>

#include "mqs_dll/communicators.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Which library matches messages in MPICH's stead.
enum class NativeMessages { None, Ofi, Ucx };

/// Of one process; nothing is hidden until read.
struct Visibility {
    NativeMessages native = NativeMessages::None;
    /// Also between the processes of a node: the build has no shared memory of
    /// its own.
    bool direct = false;
    std::int32_t rank = -1;
    /// The node of each process of MPI_COMM_WORLD; empty if unknown.
    Array<std::int32_t> nodes;

    /// Looks at the symbols and settings of MPICH. What cannot be read makes the
    /// library match more, never less. OutOfMemory is the only failure.
    Status read(const Target& target, const Layout& layout, const Symbols& symbols);

    /// Whether messages of a communicator may be matched outside of MPICH.
    bool hides(const Communicator& communicator, const RankMaps& ranks) const;
    /// Whether those of any communicator may be, MPI_COMM_WORLD's at least.
    bool hides_any() const;
    /// Why, and what to do about it; null if nothing is hidden.
    const char* reason() const;
};

}  // namespace mqinspect::dll

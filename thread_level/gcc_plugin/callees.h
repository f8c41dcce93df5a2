/// What a call does, by the function that it names.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "thread_level/gcc_plugin/atomics.h"
#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/mpi_procedures.h"

namespace mqinspect::thread_level::plugin {

enum class CalleeKind : std::uint8_t {
    Other,     ///< the program's, or of a library that may call back
    Harmless,  ///< can't reach MPI, threads, or a lock
    Mpi,
    ThreadNumber,
    TeamSize,
    MaxThreads,
    NestingLevel,
    InParallel,
    StaticGuard,  ///< __cxa_guard_acquire(): the result is not 0 for one thread, once
    Count,        ///< of an atomic variable, by one or another number: returns what is there
    Atomic,       ///< of an atomic variable: `atomic`
    Barrier,
    Taskwait,
    Acquire,
    TryAcquire,  ///< has the lock if the result is not 0
    TryAcquireZero,
    Release,
    MakeLock,
    GuardBind,     ///< constructor of a lock guard that does not lock
    GuardAcquire,  ///< and of one that does; also its member lock()
    GuardRelease,
    GuardMake,   ///< returns one that locks: make_unique()
    GuardHolds,  ///< member of one that holds the lock if the result is not 0
    SemaphoreWait,
    TrySemaphore,  ///< has waited if the result is not 0
    TrySemaphoreZero,
    SemaphorePost,
    SemaphoreInit,
    SemaphoreOpen,  ///< returns one
    LatchCount,
    LatchWait,
    LatchCountAndWait,
    BarrierInit,  ///< not OpenMP's
    BarrierWait,
    StartThread,
    JoinThread,
    FutureWait,  ///< for what a promise or a thread hands on
    FutureEnd,   ///< its destructor, which waits if a thread has been started for it
    AcquireAll,  ///< std::lock
    CallOnce,    ///< std::call_once
};

/// What a call has to do with the identities of threads, pthread_t and its kin.
enum class Identity : std::uint8_t {
    None,
    OfCaller,   ///< returns that of the thread that calls it
    Same,       ///< whether two are of one thread
    Different,  ///< or are not
};

struct Callee {
    CalleeKind kind = CalleeKind::Other;
    /// The lock, the function that a thread starts with; of what threads wait at: a number, if not
    /// 0.
    int argument = 0;
    StringId symbol = 0;
    const MpiProcedure* mpi = nullptr;
    AtomicKind atomic = AtomicKind::None;
    Identity identity = Identity::None;
};

class Callees {
public:
    explicit Callees(Gathering& gathering) : gathering_(gathering) {}

    const Callee& of(tree function_declaration);

private:
    Callee classify(tree function_declaration);

    Gathering& gathering_;
    std::unordered_map<unsigned, Callee> known_;  // by DECL_UID
};

/// A function of a run-time library, by assembler name: it can't reach code of the program,
/// unless that hands it a function.
bool is_runtime_symbol(std::string_view symbol);

/// Whether a function is the destructor of a std::thread, or of a container of such. A thread that
/// has neither been joined nor detached ends the process there.
bool ends_with_threads(std::string_view symbol);

/// Whether the call leaves `variable` alone: it does nothing of interest, or is of an MPI procedure
/// that gets the address, if at all, as Fortran hands over ranks, tags and the thread level that is
/// requested.
bool is_only_read(const gimple* call, const Callee& callee, tree variable);

}  // namespace mqinspect::thread_level::plugin

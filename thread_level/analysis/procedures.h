/// What the analysis has to know of single MPI procedures.
#pragma once

#include <cstdint>
#include <string_view>

namespace mqinspect::thread_level {

/// How a procedure uses what it is given.
enum class Use : std::uint8_t {
    Other,
    Exempt,            ///< any thread may call it at any time, at each level
    Info,              ///< the same, but of one info object, which may be freed
    Init,              ///< MPI_Init
    InitThread,        ///< MPI_Init_thread
    SessionInit,       ///< MPI_Session_init: any thread may call it, several times
    Finalize,          ///< MPI_Finalize
    Collective,        ///< over its communicator
    TaggedCollective,  ///< over a group of its communicator; a tag tells it from others
    ObjectCollective,  ///< over the group of its window or file, or an epoch on the whole window
    Send,
    Receive,
    Probe,       ///< of a message that a later receive is to get
    Completion,  ///< of its request: waits, tests, starts, frees
    Group,       ///< looks at a group, makes one of it or frees it
    Epoch,       ///< lock and unlock of one peer on its window
    Access,      ///< to its window: put, get, flush and kin
    RunsTask,    ///< no call of MPI: of a std::packaged_task, with whatever that is made of
};

struct Procedure {
    Use use = Use::Other;
    /// The call does not wait for others; its request is written by it.
    bool is_nonblocking = false;
    bool makes = false;  ///< another communicator, window or file of its communicator
    bool frees = false;  ///< its communicator or object, which nobody may use any more
};

/// Who calls it takes care that nobody is left who needs what it ends.
inline bool comes_last(const Procedure& procedure) {
    return procedure.use == Use::Finalize || procedure.frees;
}

/// `name` as in C, "MPI_Send".
Procedure procedure_of(std::string_view name);

}  // namespace mqinspect::thread_level

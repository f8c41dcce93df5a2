/// Result codes of the DLL, as the debugger sees them.
#pragma once

#include "include/mpi_interface.h"

namespace mqinspect::dll {

/// The values are those that the exported functions return.
// clang-format off
enum class [[nodiscard]] Status : int {
    // clang-format on
    Ok = mqs_ok,
    NoInformation = mqs_no_information,
    EndOfList = mqs_end_of_list,
    NoCallbacks = mqs_first_user_code,  ///< the debugger left out a callback that is needed
    OutOfMemory,                        ///< the debugger's heap is exhausted
    NotSetUp,                           ///< image or process unknown to the DLL
    MissingLayout,                      ///< types or fields that every answer needs are absent
    UnreadableMemory,                   ///< a read of the process failed
    CorruptData,                        ///< a link, size or count that cannot be true
    NoSnapshot,                         ///< nothing was read yet, or the last update failed
    NoCurrentCommunicator,              ///< outside of the communicator iteration
    NoCurrentOperation,                 ///< outside of the operation iteration
    UnknownQueue,                       ///< no such mqs_op_class
    NoRoom,                             ///< the debugger's buffer is too small
    InvalidIdentity,                    ///< a process is called by a negative number
    NoFunction,                         ///< the image has no function to stop in
};

inline bool ok(Status status) {
    return status == Status::Ok;
}
inline int code(Status status) {
    return static_cast<int>(status);
}

/// One line of text for a result code of the DLL; static. For MissingLayout it
/// lists the names that the last failing image lacked.
char* describe_status(int result_code);
/// Sets the text of MissingLayout; copied, cut at its room.
void remember_missing_layout(const char* text);

}  // namespace mqinspect::dll

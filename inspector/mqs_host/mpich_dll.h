/// What MPICH's own debugger DLL, libtvmpich.so, tells wrongly or not at all.
///
/// Of its known defects some can be undone: it gives counts for lengths, the fields of
/// an earlier receive for the length of an unexpected message, sends in reverse order,
/// the remote size for the size of an intercommunicator, and the library's internal
/// communicators beside the user's. Others cannot, and make queues unknown: it lists no
/// blocking send and no persistent one that is active, and may list one that is freed.
///
/// Follows src/mpi/debugger/dll_mpich.c of MPICH 4.0.
#pragma once

#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host {

/// Corrects what the DLL said of an MPICH process, and adds what the communicator
/// objects themselves hold. The process must be stopped.
void correct_mpich_dll(const HostedProcess& process, bool show_internal, HostedQueues& queues);

/// For any DLL: applies the corrections for the MPI library of the process, unless the
/// DLL tells details itself, as libmqs_mpich.so does.
void correct_foreign_dll(const HostedProcess& process, bool show_internal, HostedQueues& queues);

}  // namespace mqinspect::mqs_host

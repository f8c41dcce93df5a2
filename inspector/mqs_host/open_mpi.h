/// What Open MPI's own debugger DLL, libompi_dbg_msgq.so, leaves out or tells wrongly.
///
/// The DLL gives no address of a communicator, shows one group of an
/// intercommunicator and takes peers for members of that one, calls an operation
/// complete while a thread waits for it, lists persistent requests that are not
/// started, and lists receives in the order of their memory. Each of these can be
/// checked in the library's objects, whose types the DLL has needed, too.
///
/// Follows Open MPI 4.1: ompi/communicator, ompi/group, ompi/request and
/// ompi/mca/pml/base of its sources.
#pragma once

#include <cstdint>
#include <string>

#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host {

/// MCA_COLL_BASE_TAG_NONBLOCKING_BASE: the tag of a communicator's first nonblocking collective
/// operation; each further one has the next below it.
inline constexpr std::int32_t kFirstNonblockingTag = -27;

/// True if the process has loaded Open MPI.
bool is_open_mpi(const target::DebugSymbols& view);

/// The name of the component that moves messages ("ob1", "ucx"), empty if it cannot
/// be read. Needs the library's types.
std::string point_to_point_layer(const target::DebugSymbols& view, const target::Memory& memory);

/// Corrects what the DLL said of this process and adds details, as if the DLL had
/// mqs_get_comm_details and mqs_get_operation_details. What cannot be checked becomes
/// an unknown queue. With another layer than ob1, which keeps its queues out of sight,
/// all queues become unknown. The process must be stopped.
void correct_open_mpi(const HostedProcess& process, HostedQueues& queues);

}  // namespace mqinspect::mqs_host

/// The variables of MPICH that the walkers start from.
#pragma once

#include <cstdint>

#include "include/mpi_interface.h"

namespace mqinspect::dll {

/// Addresses in one process; 0: no such symbol. To be looked up at every update, since
/// a library may be loaded, or moved, after the process was set up.
struct Symbols {
    std::uint64_t all_communicators = 0, comm_mem = 0, comm_builtin = 0, sendq_head = 0,
                  recvq_head = 0, unexpq_head = 0, request_mem = 0, datatype_mem = 0,
                  global_process = 0, device_process = 0, all_schedules = 0, coll_queue = 0,
                  completion_count = 0, bsend_buffer = 0, nemesis_region = 0, active_windows = 0,
                  window_mem = 0, inactive_windows = 0, process_groups = 0;
    /// Variables that hold the heads of the lists, of type MPIR_Request*.
    std::uint64_t posted_head = 0, unexpected_head = 0;
    /// Variables that hold the addresses of those, of type MPIR_Request**.
    std::uint64_t posted_head_ptr = 0, unexpected_head_ptr = 0;
    // Of ch4: its globals, the lists of communicators of one process, the network
    // modules' globals, and settings, which are ints.
    std::uint64_t ch4_global = 0, self_sends = 0, self_receives = 0, ofi_global = 0, ucx_global = 0,
                  setting_tagged = 0, setting_vcis = 0, setting_cell = 0;
    std::uint64_t recorder = 0;  ///< pending::Head of include/pending_operations.h
};

/// Precondition: the callback is there.
Symbols find_symbols(mqs_image* image, const mqs_image_callbacks& callbacks);

}  // namespace mqinspect::dll

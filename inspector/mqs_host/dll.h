/// A debugger DLL as a table of functions. Used in the helper process only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "include/mqs_extensions.h"

namespace mqinspect::mqs_host {

/// What the helper is doing with the DLL; it says so in memory that it shares
/// with this program, for the message about a DLL that crashes or hangs.
enum class Stage : std::uint32_t {
    Starting,
    Loading,
    VersionString,
    HostCompatibility,
    VersionCompatibility,
    TaddrWidth,
    SetupBasicCallbacks,
    SetupJob,
    SetupImage,
    ImageHasQueues,
    SetupProcess,
    SetProcessIdentity,
    SetWorldIdentities,
    ProcessHasQueues,
    ShowInternal,
    ProgressCount,
    IncomingCount,
    SetupNewProcessIterator,
    NextNewProcess,
    UpdateCommunicatorList,
    SetupCommunicatorIterator,
    GetCommunicator,
    CommunicatorGroup,
    CommunicatorDetails,
    RemoteGroup,
    NextCommunicator,
    SetupOperationIterator,
    NextOperation,
    OperationDetails,
    OperationPeers,
    SetupMessageCounts,
    NextMessageCounts,
    SetupWindowIterator,
    NextWindow,
    NextWindowPeer,
    ErrorString,
    Destroying,
    Count,
};

/// As it reads after "in": "mqs_next_operation". Any number is allowed.
std::string_view stage_name(std::uint32_t stage);

/// The functions of one DLL; those that it may lack are null. Never unloaded: a
/// DLL may have left a thread or an exit handler.
struct Dll {
    decltype(&mqs_setup_basic_callbacks) setup_basic_callbacks = nullptr;
    decltype(&mqs_version_string) version_string = nullptr;
    decltype(&mqs_version_compatibility) version_compatibility = nullptr;
    decltype(&mqs_dll_error_string) error_string = nullptr;
    decltype(&mqs_setup_image) setup_image = nullptr;
    decltype(&mqs_image_has_queues) image_has_queues = nullptr;
    decltype(&mqs_destroy_image_info) destroy_image_info = nullptr;
    decltype(&mqs_setup_process) setup_process = nullptr;
    decltype(&mqs_process_has_queues) process_has_queues = nullptr;
    decltype(&mqs_destroy_process_info) destroy_process_info = nullptr;
    decltype(&mqs_update_communicator_list) update_communicator_list = nullptr;
    decltype(&mqs_setup_communicator_iterator) setup_communicator_iterator = nullptr;
    decltype(&mqs_get_communicator) get_communicator = nullptr;
    decltype(&mqs_next_communicator) next_communicator = nullptr;
    decltype(&mqs_setup_operation_iterator) setup_operation_iterator = nullptr;
    decltype(&mqs_next_operation) next_operation = nullptr;

    // Optional.
    decltype(&mqs_dll_taddr_width) taddr_width = nullptr;
    decltype(&mqs_get_comm_group) get_comm_group = nullptr;
    decltype(&mqs_setup_job) setup_job = nullptr;
    decltype(&mqs_destroy_job_info) destroy_job_info = nullptr;
    decltype(&mqs_set_process_identity) set_process_identity = nullptr;
    decltype(&mqs_setup_new_process_iterator) setup_new_process_iterator = nullptr;
    /// Under either of its published names.
    decltype(&mqs_next_new_process) next_new_process = nullptr;
    decltype(&mqs_host_compatibility) host_compatibility = nullptr;
    decltype(&mqs_set_world_identities) set_world_identities = nullptr;
    decltype(&mqs_get_comm_details) get_comm_details = nullptr;
    decltype(&mqs_get_comm_remote_group) get_comm_remote_group = nullptr;
    decltype(&mqs_get_operation_details) get_operation_details = nullptr;
    decltype(&mqs_get_operation_peers) get_operation_peers = nullptr;
    decltype(&mqs_setup_message_counts) setup_message_counts = nullptr;
    decltype(&mqs_next_message_counts) next_message_counts = nullptr;
    decltype(&mqs_setup_window_iterator) setup_window_iterator = nullptr;
    decltype(&mqs_next_window) next_window = nullptr;
    decltype(&mqs_next_window_peer) next_window_peer = nullptr;
    decltype(&mqs_get_progress_count) get_progress_count = nullptr;
    decltype(&mqs_get_incoming_count) get_incoming_count = nullptr;
    decltype(&mqs_show_internal) show_internal = nullptr;

    /// dlopen(3) and dlsym(3). Fails with InvalidArgument: not loadable, or the
    /// message lists every required function that is missing.
    static Result<Dll> load(const std::string& path);
};

/// The interface levels that this host speaks: MPI-1, and MPI-2 with jobs.
inline constexpr int kOldestLevel = 2;
inline constexpr int kNewestLevel = 3;

}  // namespace mqinspect::mqs_host

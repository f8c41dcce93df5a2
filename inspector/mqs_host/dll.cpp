#include "inspector/mqs_host/dll.h"

#include <dlfcn.h>

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mqinspect::mqs_host {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Stage::Count)> kStageNames{
    "the preparation of the helper process",
    "dlopen",
    "mqs_version_string",
    "mqs_host_compatibility",
    "mqs_version_compatibility",
    "mqs_dll_taddr_width",
    "mqs_setup_basic_callbacks",
    "mqs_setup_job",
    "mqs_setup_image",
    "mqs_image_has_queues",
    "mqs_setup_process",
    "mqs_set_process_identity",
    "mqs_set_world_identities",
    "mqs_process_has_queues",
    "mqs_show_internal",
    "mqs_get_progress_count",
    "mqs_get_incoming_count",
    "mqs_setup_new_process_iterator",
    "mqs_next_new_process",
    "mqs_update_communicator_list",
    "mqs_setup_communicator_iterator",
    "mqs_get_communicator",
    "mqs_get_comm_group",
    "mqs_get_comm_details",
    "mqs_get_comm_remote_group",
    "mqs_next_communicator",
    "mqs_setup_operation_iterator",
    "mqs_next_operation",
    "mqs_get_operation_details",
    "mqs_get_operation_peers",
    "mqs_setup_message_counts",
    "mqs_next_message_counts",
    "mqs_setup_window_iterator",
    "mqs_next_window",
    "mqs_next_window_peer",
    "mqs_dll_error_string",
    "the release of its data",
};

template <class Function>
bool bind(void* library, Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

std::string_view stage_name(std::uint32_t stage) {
    return stage < kStageNames.size() ? kStageNames[stage] : "an unknown place";
}

Result<Dll> Dll::load(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return Error{ErrorCode::InvalidArgument, fmt::format("cannot be loaded: {}", dlerror())};
    }
    Dll dll;
    std::vector<std::string> missing;
    const auto require = [&](auto& function, const char* name) {
        if (!bind(library, function, name)) missing.emplace_back(name);
    };
    require(dll.setup_basic_callbacks, "mqs_setup_basic_callbacks");
    require(dll.version_string, "mqs_version_string");
    require(dll.version_compatibility, "mqs_version_compatibility");
    require(dll.error_string, "mqs_dll_error_string");
    require(dll.setup_image, "mqs_setup_image");
    require(dll.image_has_queues, "mqs_image_has_queues");
    require(dll.destroy_image_info, "mqs_destroy_image_info");
    require(dll.setup_process, "mqs_setup_process");
    require(dll.process_has_queues, "mqs_process_has_queues");
    require(dll.destroy_process_info, "mqs_destroy_process_info");
    require(dll.update_communicator_list, "mqs_update_communicator_list");
    require(dll.setup_communicator_iterator, "mqs_setup_communicator_iterator");
    require(dll.get_communicator, "mqs_get_communicator");
    require(dll.next_communicator, "mqs_next_communicator");
    require(dll.setup_operation_iterator, "mqs_setup_operation_iterator");
    require(dll.next_operation, "mqs_next_operation");
    if (!missing.empty()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("is no message queue DLL: it lacks {}", fmt::join(missing, ", "))};
    }
    bind(library, dll.taddr_width, "mqs_dll_taddr_width");
    bind(library, dll.get_comm_group, "mqs_get_comm_group");
    bind(library, dll.setup_job, "mqs_setup_job");
    bind(library, dll.destroy_job_info, "mqs_destroy_job_info");
    bind(library, dll.set_process_identity, "mqs_set_process_identity");
    bind(library, dll.setup_new_process_iterator, "mqs_setup_new_process_iterator");
    if (!bind(library, dll.next_new_process, "mqs_next_new_process")) {
        bind(library, dll.next_new_process, "next_new_process");
    }
    bind(library, dll.host_compatibility, "mqs_host_compatibility");
    bind(library, dll.set_world_identities, "mqs_set_world_identities");
    bind(library, dll.get_comm_details, "mqs_get_comm_details");
    bind(library, dll.get_comm_remote_group, "mqs_get_comm_remote_group");
    bind(library, dll.get_operation_details, "mqs_get_operation_details");
    bind(library, dll.get_operation_peers, "mqs_get_operation_peers");
    bind(library, dll.setup_message_counts, "mqs_setup_message_counts");
    bind(library, dll.next_message_counts, "mqs_next_message_counts");
    bind(library, dll.setup_window_iterator, "mqs_setup_window_iterator");
    bind(library, dll.next_window, "mqs_next_window");
    bind(library, dll.next_window_peer, "mqs_next_window_peer");
    bind(library, dll.get_progress_count, "mqs_get_progress_count");
    bind(library, dll.get_incoming_count, "mqs_get_incoming_count");
    bind(library, dll.show_internal, "mqs_show_internal");
    return dll;
}

}  // namespace mqinspect::mqs_host

// The functions of the interface. Each checks what the debugger passes, since the
// order of the calls is the debugger's, and leaves the work to session.h.

#include <cstring>

#pragma GCC visibility push(default)
#include "include/mqs_extensions.h"
#pragma GCC visibility pop

#include "mqs_dll/describe.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/session.h"
#include "mqs_dll/status.h"

namespace dll = mqinspect::dll;

namespace {

using dll::code;
using dll::ImageState;
using dll::JobState;
using dll::ProcessState;
using dll::Status;

/// What the debugger has announced, or shown by calling a function of the level.
constinit int host_level = 2;

constinit char version_text[] = "mqinspect, queues of MPICH's devices ch3 and ch4, 0.1";

// The interface's handles of what the DLL keeps stand for these types.
mqs_image_info* to_handle(ImageState* state) {
    return reinterpret_cast<mqs_image_info*>(state);
}
ImageState* to_state(mqs_image_info* info) {
    return reinterpret_cast<ImageState*>(info);
}
mqs_process_info* to_handle(ProcessState* state) {
    return reinterpret_cast<mqs_process_info*>(state);
}
ProcessState* to_state(mqs_process_info* info) {
    return reinterpret_cast<ProcessState*>(info);
}
mqs_job_info* to_handle(JobState* state) {
    return reinterpret_cast<mqs_job_info*>(state);
}
JobState* to_state(mqs_job_info* info) {
    return reinterpret_cast<JobState*>(info);
}

ImageState* state_of(mqs_image* image) {
    const mqs_basic_callbacks* callbacks = dll::basic_callbacks();
    if (callbacks == nullptr || callbacks->mqs_get_image_info_fp == nullptr) return nullptr;
    return to_state(callbacks->mqs_get_image_info_fp(image));
}

ProcessState* state_of(mqs_process* process) {
    const mqs_basic_callbacks* callbacks = dll::basic_callbacks();
    if (callbacks == nullptr || callbacks->mqs_get_process_info_fp == nullptr) return nullptr;
    return to_state(callbacks->mqs_get_process_info_fp(process));
}

/// The job of a process; null if it was not set up. Only for what a debugger of level
/// 3 calls: the tables of others end before these callbacks.
JobState* job_of(mqs_process* process, const ProcessState& state) {
    const mqs_basic_callbacks* basic = dll::basic_callbacks();
    const mqs_process_callbacks& callbacks = state.callbacks();
    if (basic == nullptr || basic->mqs_get_job_info_fp == nullptr ||
        callbacks.mqs_get_process_job_fp == nullptr) {
        return nullptr;
    }
    mqs_job* job = callbacks.mqs_get_process_job_fp(process);
    return job == nullptr ? nullptr : to_state(basic->mqs_get_job_info_fp(job));
}

/// No more bytes than the host's struct has; struct_size stays what the host set.
template <class T>
int hand_over(const T& value, T* to) {
    const std::size_t room = to->struct_size;
    if (room < sizeof to->struct_size) return code(Status::NoInformation);
    std::memcpy(to, &value, room < sizeof value ? room : sizeof value);
    return mqs_ok;
}

int copy_group(ProcessState* state, std::uint32_t map, int size, int* ranks) {
    const dll::Snapshot& snapshot = *state->snapshot();
    const dll::RankMaps& maps = snapshot.communicators.ranks();
    if (map == dll::RankMaps::kUnknown) return mqs_no_information;
    for (int i = 0; i < size; ++i)
        ranks[i] = snapshot.identity_of(maps.process(map, i));
    return mqs_ok;
}

}  // namespace

extern "C" {

void mqs_setup_basic_callbacks(const mqs_basic_callbacks* callbacks) {
    dll::install_callbacks(callbacks);
}

char* mqs_version_string(void) {
    return version_text;
}

int mqs_host_compatibility(int level) {
    host_level = level;
    return MQS_INTERFACE_COMPATIBILITY;
}

int mqs_version_compatibility(void) {
    return host_level < MQS_INTERFACE_COMPATIBILITY ? 2 : MQS_INTERFACE_COMPATIBILITY;
}

int mqs_dll_taddr_width(void) {
    return static_cast<int>(sizeof(mqs_taddr_t));
}

char* mqs_dll_error_string(int result) {
    return dll::describe_status(result);
}

int mqs_setup_image(mqs_image* image, const mqs_image_callbacks* callbacks) {
    const mqs_basic_callbacks* basic = dll::basic_callbacks();
    if (basic == nullptr || basic->mqs_put_image_info_fp == nullptr || callbacks == nullptr) {
        return code(Status::NoCallbacks);
    }
    auto* state = dll::create<ImageState>();
    if (state == nullptr) return code(Status::OutOfMemory);
    state->image = image;
    state->callbacks = callbacks;
    basic->mqs_put_image_info_fp(image, to_handle(state));
    return mqs_ok;
}

int mqs_image_has_queues(mqs_image* image, char** message) {
    if (message != nullptr) *message = nullptr;
    ImageState* state = state_of(image);
    if (state == nullptr) return code(Status::NotSetUp);
    // No process is at hand that could tell the size of a pointer.
    state->resolve(static_cast<int>(sizeof(mqs_taddr_t)));
    // Whether the recorder has anything to say its processes know.
    if (ok(state->layout_status) || state->may_be_recorded()) return mqs_ok;
    if (message != nullptr && state->message[0] != '\0') *message = state->message;
    return code(state->layout_status);
}

int mqs_destroy_image_info(mqs_image_info* info) {
    if (info != nullptr) to_state(info)->drop();
    return mqs_ok;
}

int mqs_setup_process(mqs_process* process, const mqs_process_callbacks* callbacks) {
    const mqs_basic_callbacks* basic = dll::basic_callbacks();
    if (basic == nullptr || basic->mqs_put_process_info_fp == nullptr || callbacks == nullptr ||
        callbacks->mqs_get_image_fp == nullptr || callbacks->mqs_fetch_data_fp == nullptr) {
        return code(Status::NoCallbacks);
    }
    ImageState* image = state_of(callbacks->mqs_get_image_fp(process));
    if (image == nullptr) return code(Status::NotSetUp);
    mqs_target_type_sizes sizes{};
    if (image->callbacks->mqs_get_type_sizes_fp != nullptr) {
        image->callbacks->mqs_get_type_sizes_fp(process, &sizes);
    }
    const int pointer_size = sizes.pointer_size == 4 ? 4 : 8;
    if (!ok(image->layout_status) || image->layout.pointer_size != pointer_size) {
        image->resolve(pointer_size);
    }
    void* memory = dll::allocate(sizeof(ProcessState));
    if (memory == nullptr) return code(Status::OutOfMemory);
    auto* state = new (memory) ProcessState(process, callbacks, image, pointer_size);
    basic->mqs_put_process_info_fp(process, to_handle(state));
    return mqs_ok;
}

int mqs_process_has_queues(mqs_process* process, char** message) {
    if (message != nullptr) *message = nullptr;
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (!state->has_queues()) {
        if (message != nullptr) *message = state->missing();
        return code(state->image().layout_status);
    }
    if (message != nullptr) *message = state->hidden();
    return mqs_ok;
}

int mqs_destroy_process_info(mqs_process_info* info) {
    if (info != nullptr) dll::destroy(to_state(info));
    return mqs_ok;
}

int mqs_setup_job(mqs_job* job, const mqs_job_callbacks* /*callbacks*/) {
    host_level = MQS_INTERFACE_COMPATIBILITY;
    const mqs_basic_callbacks* basic = dll::basic_callbacks();
    if (basic == nullptr || basic->mqs_put_job_info_fp == nullptr) {
        return code(Status::NoCallbacks);
    }
    auto* state = dll::create<JobState>();
    if (state == nullptr) return code(Status::OutOfMemory);
    basic->mqs_put_job_info_fp(job, to_handle(state));
    return mqs_ok;
}

int mqs_destroy_job_info(mqs_job_info* info) {
    if (info != nullptr) to_state(info)->drop();
    return mqs_ok;
}

int mqs_set_process_identity(mqs_process* process, int identity) {
    ProcessState* state = state_of(process);
    JobState* job = state == nullptr ? nullptr : job_of(process, *state);
    if (job == nullptr) return code(Status::NotSetUp);
    if (identity < 0) return code(Status::InvalidIdentity);
    return code(state->set_identity(*job, identity));
}

int mqs_set_world_identities(mqs_process* process, int first) {
    ProcessState* state = state_of(process);
    JobState* job = state == nullptr ? nullptr : job_of(process, *state);
    if (job == nullptr) return code(Status::NotSetUp);
    if (first < 0) return code(Status::InvalidIdentity);
    return code(state->set_world_identities(*job, first));
}

int mqs_spawn_breakpoint_name(mqs_process* process, char* name, int room) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    const dll::ImageState& image = state->image();
    const char* function = dll::spawn_breakpoint(image.image, *image.callbacks);
    if (function == nullptr) return code(Status::NoFunction);
    const std::size_t bytes = std::strlen(function) + 1;
    if (name == nullptr || room < 0 || static_cast<std::size_t>(room) < bytes) {
        return code(Status::NoRoom);
    }
    std::memcpy(name, function, bytes);
    return mqs_ok;
}

int mqs_setup_new_process_iterator(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->first_new_process());
}

int mqs_next_new_process(mqs_process* process, mqs_process_location* location) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->next_new_process(*location));
}

int next_new_process(mqs_process* process, mqs_process_location* location) {
    return mqs_next_new_process(process, location);
}

int mqs_update_communicator_list(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->update());
}

int mqs_setup_communicator_iterator(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->first_communicator());
}

int mqs_get_communicator(mqs_process* process, mqs_communicator* communicator) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (state->communicator() == nullptr) return code(Status::NoCurrentCommunicator);
    dll::describe(*state->communicator(), *communicator);
    return mqs_ok;
}

int mqs_next_communicator(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->next_communicator());
}

int mqs_get_comm_group(mqs_process* process, int* ranks) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    const dll::Communicator* communicator = state->communicator();
    if (communicator == nullptr) return code(Status::NoCurrentCommunicator);
    return copy_group(state, communicator->group, communicator->local_size, ranks);
}

int mqs_get_comm_remote_group(mqs_process* process, int* ranks) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    const dll::Communicator* communicator = state->communicator();
    if (communicator == nullptr) return code(Status::NoCurrentCommunicator);
    if (!communicator->inter) return mqs_no_information;
    return copy_group(state, communicator->peers, communicator->remote_size, ranks);
}

int mqs_get_comm_details(mqs_process* process, mqs_comm_details* details) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (state->communicator() == nullptr) return code(Status::NoCurrentCommunicator);
    mqs_comm_details value{};
    value.struct_size = details->struct_size;
    dll::describe(*state->communicator(), value);
    return hand_over(value, details);
}

int mqs_setup_operation_iterator(mqs_process* process, int queue) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->first_operation(queue));
}

int mqs_next_operation(mqs_process* process, mqs_pending_operation* operation) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->next_operation(*operation));
}

int mqs_get_operation_details(mqs_process* process, mqs_operation_details* details) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (state->operation() == nullptr) return code(Status::NoCurrentOperation);
    mqs_operation_details value{};
    value.struct_size = details->struct_size;
    dll::describe(*state->snapshot(), *state->operation(), state->queue(), value);
    return hand_over(value, details);
}

int mqs_get_global_rank(mqs_process* process) {
    const ProcessState* state = state_of(process);
    return state == nullptr ? static_cast<int>(MQS_INVALID_PROCESS) : state->world_rank();
}

int mqs_get_comm_coll_state(mqs_process* process, int comm_class, int* count, int* active) {
    const ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (state->communicator() == nullptr) return code(Status::NoCurrentCommunicator);
    if (!state->has_active_class(comm_class)) return mqs_no_information;
    *count = -1;
    *active = 1;
    return mqs_ok;
}

int mqs_get_operation_peers(mqs_process* process, int direction, int* ranks, int room, int* count) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    if (state->operation() == nullptr) return code(Status::NoCurrentOperation);
    if (state->queue() != mqs_pending_collectives) return mqs_no_information;
    const dll::SchedulePeers& peers = state->snapshot()->schedule_peers;
    const dll::SchedulePeers::List* list = peers.find(state->operation()->request);
    if (list == nullptr) return mqs_no_information;
    const bool sends = direction == mqs_peers_send;
    const std::uint32_t first = sends ? list->first + list->receives : list->first;
    *count = static_cast<int>(sends ? list->sends : list->receives);
    for (int i = 0; i < *count && i < room; ++i)
        ranks[i] = peers.rank(first + static_cast<std::uint32_t>(i));
    return mqs_ok;
}

int mqs_setup_window_iterator(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->first_window());
}

int mqs_next_window(mqs_process* process, mqs_window* window) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    mqs_window value{};
    value.struct_size = window->struct_size;
    const Status status = state->next_window(value);
    return ok(status) ? hand_over(value, window) : code(status);
}

int mqs_next_window_peer(mqs_process* process, mqs_window_peer* peer) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    mqs_window_peer value{};
    value.struct_size = peer->struct_size;
    const Status status = state->next_window_peer(value);
    return ok(status) ? hand_over(value, peer) : code(status);
}

int mqs_setup_message_counts(mqs_process* process) {
    ProcessState* state = state_of(process);
    return code(state == nullptr ? Status::NotSetUp : state->first_message_counts());
}

int mqs_next_message_counts(mqs_process* process, mqs_message_counts* counts) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    mqs_message_counts value{};
    value.struct_size = counts->struct_size;
    const Status status = state->next_message_counts(value);
    return ok(status) ? hand_over(value, counts) : code(status);
}

int mqs_get_progress_count(mqs_process* process, mqs_taddr_t* count) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    std::uint64_t value = 0;
    const Status status = state->progress_count(value);
    if (ok(status)) *count = value;
    return code(status);
}

int mqs_get_incoming_count(mqs_process* process, mqs_taddr_t* count) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    std::uint64_t value = 0;
    const Status status = state->incoming_count(value);
    if (ok(status)) *count = value;
    return code(status);
}

int mqs_show_internal(mqs_process* process, int show) {
    ProcessState* state = state_of(process);
    if (state == nullptr) return code(Status::NotSetUp);
    state->show_internal(show != 0);
    return mqs_ok;
}

}  // extern "C"

/// What the DLL keeps for an image and for a process of the debugger.
#pragma once

#include <cstdint>

#include "mqs_dll/job.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/new_processes.h"
#include "mqs_dll/snapshot.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Shared between the debugger and the processes that were set up with it: either
/// may be destroyed first.
class ImageState {
public:
    mqs_image* image = nullptr;
    const mqs_image_callbacks* callbacks = nullptr;
    /// Resolved when a process is first at hand, which tells the size of a pointer.
    Layout layout;
    Status layout_status = Status::NotSetUp;
    char message[1024] = {};

    void resolve(int pointer_size);
    /// A recorder is loaded, which may have recorded nothing.
    bool may_be_recorded() const;
    void retain() { ++users_; }
    /// Frees the object with its last user.
    void drop();

private:
    int users_ = 1;
};

class ProcessState {
public:
    /// Both are borrowed from the debugger; the image state is shared.
    ProcessState(mqs_process* process,
                 const mqs_process_callbacks* callbacks,
                 ImageState* image,
                 int pointer_size);
    ~ProcessState();
    ProcessState(const ProcessState&) = delete;
    ProcessState& operator=(const ProcessState&) = delete;
    ProcessState(ProcessState&&) = delete;
    ProcessState& operator=(ProcessState&&) = delete;

    const ImageState& image() const { return *image_; }
    const mqs_process_callbacks& callbacks() const { return *callbacks_; }

    /// The debugger calls this process of the job so. Precondition: not negative.
    Status set_identity(JobState& job, std::int32_t identity);
    /// The ranks of this process's world are called so, from rank 0 on. Likewise.
    Status set_world_identities(JobState& job, std::int32_t first);
    /// Starts the iteration over processes of other worlds that have no identity.
    Status first_new_process();
    Status next_new_process(mqs_process_location& location);

    /// Forgets what was read before, and all iterations.
    Status update();
    void show_internal(bool show) { show_internal_ = show; }

    Status first_communicator();
    Status next_communicator();
    /// Null outside of the iteration.
    const Communicator* communicator() const;
    const Snapshot* snapshot() const { return snapshot_; }

    /// Starts the iteration over a queue of the current communicator.
    Status first_operation(int queue);
    Status next_operation(mqs_pending_operation& result);
    /// The one that next_operation returned last; null if there is none.
    const Operation* operation() const { return operation_; }
    int queue() const { return queue_; }

    /// Rank of the process in MPI_COMM_WORLD, MQS_INVALID_PROCESS if unknown.
    std::int32_t world_rank() const;
    /// Of the current communicator, which there must be; see collective_classes.h.
    bool has_active_class(int comm_class) const;
    Status first_window();
    Status next_window(mqs_window& result);
    Status next_window_peer(mqs_window_peer& result);

    /// Why there are no queues; null: nothing to say.
    char* missing() { return image_->message[0] != '\0' ? image_->message : nullptr; }
    /// Whether there are queues: MPICH's own, or those of a recorder.
    bool has_queues() const;
    /// What the device keeps from the debugger, and what to do about it, or where the queues
    /// come from instead; null if MPICH itself tells all.
    char* hidden();
    /// Starts the iteration over the counted messages of the current communicator.
    Status first_message_counts();
    Status next_message_counts(mqs_message_counts& result);
    Status progress_count(std::uint64_t& count) const;
    Status incoming_count(std::uint64_t& count) const;

private:
    void forget();
    /// As of the last update; before the first one they are looked up at each call.
    Symbols symbols() const;
    bool is_recorded() const;
    void join(JobState& job);
    /// Moves on to a communicator that is shown.
    Status settle();

    ImageState* image_;
    const mqs_process_callbacks* callbacks_;
    Target target_;
    Symbols symbols_;
    bool symbols_known_ = false;
    JobState* job_ = nullptr;  ///< null: the debugger gives no identities
    std::int32_t identity_ = MQS_INVALID_PROCESS;
    std::int32_t world_first_ = MQS_INVALID_PROCESS;
    NewProcesses new_processes_;
    bool show_internal_ = false;
    Snapshot* snapshot_ = nullptr;
    Status read_status_ = Status::NoSnapshot;  ///< of the communicators
    bool iterating_ = false;
    std::size_t current_ = 0;
    int queue_ = -1;  ///< -1: no iteration over operations
    const Operation* next_ = nullptr;
    const Operation* end_ = nullptr;
    const Operation* operation_ = nullptr;
    std::size_t next_window_ = 0;
    const Window* window_ = nullptr;  ///< that next_window returned last
    std::uint32_t next_peer_ = 0;
    std::uint32_t next_counts_ = 0;
    std::uint32_t counts_end_ = 0;
    char hidden_[512] = {};
};

}  // namespace mqinspect::dll

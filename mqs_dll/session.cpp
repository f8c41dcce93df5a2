#include "mqs_dll/session.h"

#include "mqs_dll/collective_classes.h"
#include "mqs_dll/describe.h"
#include "mqs_dll/incoming.h"
#include "mqs_dll/progress.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {

void ImageState::resolve(int pointer_size) {
    layout_status =
        resolve_layout(image, *callbacks, pointer_size, layout, message, sizeof message);
    if (layout_status == Status::MissingLayout) remember_missing_layout(message);
}

bool ImageState::may_be_recorded() const {
    return find_symbols(image, *callbacks).recorder != 0;
}

void ImageState::drop() {
    if (--users_ == 0) destroy(this);
}

ProcessState::ProcessState(mqs_process* process,
                           const mqs_process_callbacks* callbacks,
                           ImageState* image,
                           int pointer_size)
    : image_(image), callbacks_(callbacks), target_(process, callbacks, pointer_size) {
    image_->retain();
}

ProcessState::~ProcessState() {
    forget();
    if (job_ != nullptr) job_->drop();
    image_->drop();
}

void ProcessState::join(JobState& job) {
    job.retain();
    if (job_ != nullptr) job_->drop();
    job_ = &job;
    if (snapshot_ != nullptr) snapshot_->job = job_;
}

Status ProcessState::set_identity(JobState& job, std::int32_t identity) {
    join(job);
    identity_ = identity;
    if (snapshot_ != nullptr) snapshot_->own_identity = identity_;
    WorldRank own;
    const Status status = read_own_world(target_, image_->layout, symbols(), own);
    // Nobody is connected with a process before its MPI_Init, or on a device without names.
    if (status == Status::NoInformation) return Status::Ok;
    return ok(status) ? job.set_identity(own, identity) : status;
}

Status ProcessState::set_world_identities(JobState& job, std::int32_t first) {
    join(job);
    world_first_ = first;
    if (snapshot_ != nullptr) snapshot_->world_first = world_first_;
    WorldRank own;
    const Status status = read_own_world(target_, image_->layout, symbols(), own);
    if (status == Status::NoInformation) return Status::Ok;
    return ok(status) ? job.set_world(own.world, first) : status;
}

Status ProcessState::first_new_process() {
    if (!ok(image_->layout_status)) return image_->layout_status;
    return new_processes_.start(target_, image_->layout, symbols());
}

Status ProcessState::next_new_process(mqs_process_location& location) {
    return new_processes_.next(target_, image_->layout, job_, location);
}

void ProcessState::forget() {
    destroy(snapshot_);
    snapshot_ = nullptr;
    read_status_ = Status::NoSnapshot;
    iterating_ = false;
    queue_ = -1;
    operation_ = nullptr;
    next_window_ = 0;
    window_ = nullptr;
    next_counts_ = counts_end_ = 0;
}

Status ProcessState::update() {
    forget();
    const bool has_layout = ok(image_->layout_status);
    if (!has_layout && !is_recorded()) return image_->layout_status;
    snapshot_ = create<Snapshot>();
    if (snapshot_ == nullptr) return Status::OutOfMemory;
    snapshot_->job = job_;
    snapshot_->own_identity = identity_;
    snapshot_->world_first = world_first_;
    symbols_ = find_symbols(image_->image, *image_->callbacks);
    symbols_known_ = true;
    read_status_ = has_layout ? snapshot_->read(target_, image_->layout, symbols_, show_internal_)
                              : snapshot_->read_recorded(target_, symbols_);
    const Status result = read_status_;
    if (result == Status::OutOfMemory) forget();
    return result;
}

Status ProcessState::settle() {
    while (current_ < snapshot_->communicators.size() && !snapshot_->is_shown(current_))
        ++current_;
    if (current_ < snapshot_->communicators.size()) return Status::Ok;
    return ok(read_status_) ? Status::EndOfList : read_status_;
}

Status ProcessState::first_communicator() {
    queue_ = -1;
    operation_ = nullptr;
    if (snapshot_ == nullptr) return Status::NoInformation;
    iterating_ = true;
    current_ = 0;
    return settle();
}

Status ProcessState::next_communicator() {
    queue_ = -1;
    operation_ = nullptr;
    next_counts_ = counts_end_ = 0;
    if (snapshot_ == nullptr || !iterating_) return Status::NoCurrentCommunicator;
    if (current_ < snapshot_->communicators.size()) ++current_;
    return settle();
}

const Communicator* ProcessState::communicator() const {
    if (snapshot_ == nullptr || !iterating_ || current_ >= snapshot_->communicators.size()) {
        return nullptr;
    }
    return &snapshot_->communicators[current_];
}

Status ProcessState::first_operation(int queue) {
    queue_ = -1;
    operation_ = nullptr;
    if (snapshot_ == nullptr) return Status::NoInformation;
    if (communicator() == nullptr) return Status::NoCurrentCommunicator;
    if (queue < 0 || queue >= kQueues) return Status::UnknownQueue;
    const OperationQueue& operations = snapshot_->queues[queue];
    next_ = operations.begin(current_);
    end_ = operations.end(current_);
    // Operations that are known come first; that there may be more is said behind
    // them.
    const bool nothing = next_ == end_ || operations.status == Status::NoInformation;
    if (nothing && operations.status_of(current_) == Status::NoInformation) {
        return Status::NoInformation;
    }
    queue_ = queue;
    return Status::Ok;
}

Status ProcessState::next_operation(mqs_pending_operation& result) {
    operation_ = nullptr;
    if (snapshot_ == nullptr || queue_ < 0) return Status::NoCurrentOperation;
    if (next_ == end_) {
        // An error says that the queue goes on where nothing could be read.
        const Status status = snapshot_->queues[queue_].status_of(current_);
        return ok(status) ? Status::EndOfList : status;
    }
    operation_ = next_++;
    describe(*snapshot_, *operation_, queue_, result);
    return Status::Ok;
}

std::int32_t ProcessState::world_rank() const {
    if (!ok(image_->layout_status)) {
        pending::Head head;
        const bool known = ok(read_recorder(target_, symbols().recorder, head));
        return known && head.world_rank >= 0 ? head.world_rank : std::int32_t{MQS_INVALID_PROCESS};
    }
    return read_world_rank(target_, image_->layout, symbols());
}

bool ProcessState::has_active_class(int comm_class) const {
    return dll::has_active_class(*snapshot_, current_, comm_class);
}

Symbols ProcessState::symbols() const {
    return symbols_known_ ? symbols_ : find_symbols(image_->image, *image_->callbacks);
}

Status ProcessState::first_window() {
    next_window_ = 0;
    window_ = nullptr;
    if (snapshot_ == nullptr) return Status::NoInformation;
    const bool unknown = snapshot_->windows.status() == Status::NoInformation;
    return unknown ? Status::NoInformation : Status::Ok;
}

Status ProcessState::next_window(mqs_window& result) {
    window_ = nullptr;
    if (snapshot_ == nullptr) return Status::NoSnapshot;
    const WindowTable& windows = snapshot_->windows;
    if (next_window_ >= windows.size()) {
        // An error says that the list goes on where nothing could be read.
        return ok(windows.status()) ? Status::EndOfList : windows.status();
    }
    window_ = &windows[next_window_++];
    next_peer_ = 0;
    const unsigned int size = result.struct_size;
    result = window_->description;
    result.struct_size = size;
    return Status::Ok;
}

Status ProcessState::next_window_peer(mqs_window_peer& result) {
    if (window_ == nullptr) return Status::NoCurrentOperation;
    if (next_peer_ >= window_->peers) return Status::EndOfList;
    const WindowPeer& peer = snapshot_->windows.peer(*window_, next_peer_++);
    result.role = peer.role;
    result.rank = peer.rank;
    result.lock = peer.lock;
    result.state = peer.state;
    result.operations = peer.operations;
    result.request = peer.request;
    return Status::Ok;
}

bool ProcessState::is_recorded() const {
    pending::Head head;
    return ok(read_recorder(target_, symbols().recorder, head));
}

bool ProcessState::has_queues() const {
    return ok(image_->layout_status) || is_recorded();
}

char* ProcessState::hidden() {
    TextWriter text(hidden_, sizeof hidden_);
    if (!ok(image_->layout_status)) {
        if (!is_recorded()) return nullptr;
        text.append(
            "the queues come from mqinspect's recorder, because MPICH has no debug "
            "information: unexpected messages are shown as sends of their senders only");
        return hidden_;
    }
    if (image_->layout.device != Device::Ch4) return nullptr;
    Visibility visibility;
    if (!ok(visibility.read(target_, image_->layout, symbols())) || !visibility.hides_any()) {
        return nullptr;
    }
    if (is_recorded()) {
        text.append(
            "sends and receives come from mqinspect's recorder where the network library "
            "has them: unexpected messages are shown as sends of their senders only");
    } else {
        text.append(visibility.reason());
    }
    return hidden_;
}

Status ProcessState::first_message_counts() {
    next_counts_ = counts_end_ = 0;
    if (snapshot_ == nullptr || communicator() == nullptr) return Status::NoCurrentCommunicator;
    if (current_ >= snapshot_->counted.size()) return Status::NoInformation;
    const CountedMessages& counted = snapshot_->counted[current_];
    if (!ok(counted.status)) return counted.status;
    next_counts_ = counted.first;
    counts_end_ = counted.first + counted.size;
    return Status::Ok;
}

Status ProcessState::next_message_counts(mqs_message_counts& result) {
    if (snapshot_ == nullptr || next_counts_ == counts_end_) return Status::EndOfList;
    const PeerCounts& counts = snapshot_->message_counts[next_counts_++];
    result.peer = counts.peer;
    result.sent = counts.counts.sent;
    result.sent_tags = counts.counts.sent_tags;
    result.sent_hashes = counts.counts.sent_hashes;
    result.received = counts.counts.received;
    result.received_tags = counts.counts.received_tags;
    result.received_hashes = counts.counts.received_hashes;
    return Status::Ok;
}

Status ProcessState::progress_count(std::uint64_t& count) const {
    const Status status = count_progress(target_, image_->layout, symbols(), count);
    pending::Head head;
    if (ok(status) || !ok(read_recorder(target_, symbols().recorder, head))) return status;
    return count_recorded_calls(target_, head, count);
}

Status ProcessState::incoming_count(std::uint64_t& count) const {
    return count_incoming(target_, image_->layout, symbols(), count);
}

}  // namespace mqinspect::dll

#include "inspector/mqs_host/dll_session.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <climits>
#include <fmt/format.h>

namespace mqinspect::mqs_host {

namespace {

// More than any honest process has; a list without an end is an error, not a
// reason to fill the memory of this machine.
constexpr std::size_t kMaxCommunicators = 1'000'000;
constexpr std::size_t kMaxMessageCounts = std::size_t{1} << 20;
constexpr std::size_t kMaxGroupRanks = std::size_t{1} << 24;
constexpr long kMaxCommunicatorSize = long{1} << 24;
constexpr std::size_t kMaxTextBytes = 1000;
/// Of one rank; they are only counted.
constexpr std::size_t kMaxForeignProcesses = 10'000;
/// What a DLL that says mqs_ok must have overwritten.
constexpr int kUnwritten = INT_MIN;

constexpr std::array kQueueNames{
    "pending sends", "posted receives", "unexpected messages", "nonblocking collectives"};

std::string text_from(const char* text) {
    return text == nullptr ? std::string() : std::string(text, strnlen(text, kMaxTextBytes));
}

/// A message of the DLL may hold one %s, for the name of the image or process: here the
/// file that holds the MPI library.
std::string message_from(const char* text, const std::string& name) {
    std::string message = text_from(text);
    if (const auto place = message.find("%s"); place != std::string::npos) {
        message.replace(place, 2, name);
    }
    return message;
}

std::string name_of(const target::DebugSymbols& view) {
    std::string library = view.mpi_library();
    return library.empty() ? view.program() : library;
}

void terminate(mqs_communicator& communicator) {
    communicator.name[sizeof communicator.name - 1] = '\0';
}

}  // namespace

std::string DllSession::text_of(int code) {
    std::string text = text_from(call(Stage::ErrorString, dll_.error_string, code));
    return text.empty() ? fmt::format("error {}", code) : text;
}

Error DllSession::failure(Stage stage, int code) {
    const auto where = stage_name(static_cast<std::uint32_t>(stage));
    return Error{ErrorCode::CorruptData, fmt::format("{}: {}", where, text_of(code))};
}

Result<Done> DllSession::check_compatibility() {
    if (dll_.host_compatibility != nullptr) {
        call(Stage::HostCompatibility, dll_.host_compatibility, int{kNewestLevel});
    }
    level_ = call(Stage::VersionCompatibility, dll_.version_compatibility);
    if (level_ < kOldestLevel || level_ > kNewestLevel) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("speaks level {} of the interface, not {} or {}",
                                 level_,
                                 kOldestLevel,
                                 kNewestLevel)};
    }
    // A DLL without this function is older than it, and as wide as we are.
    const auto expected = static_cast<int>(sizeof(mqs_taddr_t));
    const int width =
        dll_.taddr_width == nullptr ? expected : call(Stage::TaddrWidth, dll_.taddr_width);
    if (width != expected) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("has addresses of {} bytes, not {}", width, expected)};
    }
    return Done{};
}

Result<std::string> DllSession::start(const std::string& path) {
    stage_.store(static_cast<std::uint32_t>(Stage::Loading), std::memory_order_relaxed);
    dll_ = TRY(Dll::load(path));
    std::string version = text_from(call(Stage::VersionString, dll_.version_string));
    TRY(check_compatibility());
    call(Stage::SetupBasicCallbacks, dll_.setup_basic_callbacks, &basic_callbacks());
    if (level_ >= kNewestLevel && dll_.setup_job != nullptr) {
        const int code = call(Stage::SetupJob, dll_.setup_job, &handles_.job(), &job_callbacks());
        if (code != mqs_ok) {
            Error error = failure(Stage::SetupJob, code);
            error.code = ErrorCode::InvalidArgument;
            return error;
        }
    }
    return version;
}

Result<Done> DllSession::prepare_image(mqs_image& image) {
    if (!image.is_set_up) {
        image.is_set_up = true;
        int code = call(Stage::SetupImage, dll_.setup_image, &image, &image_callbacks());
        if (code != mqs_ok) {
            image.refusal = failure(Stage::SetupImage, code).message;
        } else {
            char* message = nullptr;
            code = call(Stage::ImageHasQueues, dll_.image_has_queues, &image, &message);
            // On success a message says nothing: MPICH's DLL leaves its failure
            // text there.
            if (code != mqs_ok) image.refusal = message_from(message, name_of(*image.view));
            if (code != mqs_ok && image.refusal.empty()) image.refusal = text_of(code);
        }
    }
    if (!image.refusal.empty()) return Error{ErrorCode::MissingDebugInfo, image.refusal};
    return Done{};
}

Result<Done> DllSession::try_set_up(mqs_process& process) {
    TRY(prepare_image(*process.image));
    const HostedProcess& target = process.target;
    if (level_ < kNewestLevel) process.global_rank = target.rank.value - target.world_first;
    int code = call(Stage::SetupProcess, dll_.setup_process, &process, &process_callbacks());
    if (code != mqs_ok) return failure(Stage::SetupProcess, code);
    if (!wants_names()) return Done{};
    code = call(
        Stage::SetProcessIdentity, dll_.set_process_identity, &process, int{target.rank.value});
    if (code != mqs_ok) return failure(Stage::SetProcessIdentity, code);
    if (dll_.set_world_identities == nullptr) return Done{};
    code = call(
        Stage::SetWorldIdentities, dll_.set_world_identities, &process, int{target.world_first});
    return code == mqs_ok ? Result<Done>(Done{}) : failure(Stage::SetWorldIdentities, code);
}

/// Once for each process; a failure is remembered.
Result<Done> DllSession::set_up(mqs_process& process) {
    if (!process.is_set_up) {
        process.is_set_up = true;
        if (const auto result = try_set_up(process); !result) process.failure = result.error();
    }
    if (process.failure) return *process.failure;
    return Done{};
}

void DllSession::name(std::size_t index) {
    auto& writer = channel_.writer();
    writer.begin(wire::Kind::Naming);
    writer.put(static_cast<std::uint32_t>(index));
    writer.end();
    // At once: if the DLL crashes now, this is the process that it was at.
    channel_.flush();
    static_cast<void>(set_up(handles_.processes()[index]));
}

Result<Done> DllSession::check_queues(mqs_process& process) {
    char* text = nullptr;
    const int code = call(Stage::ProcessHasQueues, dll_.process_has_queues, &process, &text);
    const std::string message = message_from(text, name_of(*process.target.view));
    if (code != mqs_ok) {
        return Error{ErrorCode::MissingDebugInfo, message.empty() ? text_of(code) : message};
    }
    if (!message.empty()) send_problem(message);
    return Done{};
}

void DllSession::ask(std::size_t index) {
    auto& writer = channel_.writer();
    writer.begin(wire::Kind::RankBegin);
    writer.put(static_cast<std::uint32_t>(index));
    writer.end();
    // At once: if the DLL crashes now, this is the rank that it was at.
    channel_.flush();

    operations_ = 0;
    group_ranks_ = 0;
    window_peers_ = 0;
    mqs_process& process = handles_.processes()[index];
    const auto result = ask_process(process);
    if (result) {
        // Before the record is begun: the DLL's own questions are records, too.
        const std::array counts{ask_count(process, Stage::ProgressCount, dll_.get_progress_count),
                                ask_count(process, Stage::IncomingCount, dll_.get_incoming_count)};
        writer.begin(wire::Kind::RankDone);
        for (const auto& count : counts) {
            writer.put(static_cast<std::uint8_t>(count.has_value()));
            writer.put(count.value_or(0));
        }
        writer.end();
    } else {
        wire::put_error(writer, wire::Kind::RankFailed, result.error());
    }
    channel_.flush();
    if (process.info != nullptr) {
        call(Stage::Destroying, dll_.destroy_process_info, process.info);
        process.info = nullptr;
    }
}

void DllSession::ask_new_processes(mqs_process& process) {
    if (level_ < kNewestLevel || dll_.setup_new_process_iterator == nullptr ||
        dll_.next_new_process == nullptr ||
        call(Stage::SetupNewProcessIterator, dll_.setup_new_process_iterator, &process) != mqs_ok) {
        return;
    }
    for (std::size_t count = 0; count < kMaxForeignProcesses; ++count) {
        mqs_process_location location{};
        location.pid = -1;
        if (call(Stage::NextNewProcess, dll_.next_new_process, &process, &location) != mqs_ok) {
            return;
        }
        auto& writer = channel_.writer();
        writer.begin(wire::Kind::Foreign);
        writer.put(location.pid);
        writer.put_text(
            {location.host_name, strnlen(location.host_name, sizeof location.host_name)});
        writer.end();
    }
}

int DllSession::number_of(const mqs_process& process, long global_rank) const {
    if (global_rank < 0 || global_rank > INT_MAX) return -1;
    const auto rank = static_cast<int>(global_rank);
    if (level_ >= kNewestLevel) return rank;
    const HostedProcess& target = process.target;
    const bool beyond = target.world_size > 0 && rank >= target.world_size;
    return beyond || rank > INT_MAX - target.world_first ? -1 : target.world_first + rank;
}

std::optional<std::uint64_t> DllSession::ask_count(mqs_process& process,
                                                   Stage stage,
                                                   decltype(&mqs_get_progress_count) function) {
    mqs_taddr_t count = 0;
    const bool known = !options_.set_up_only && function != nullptr &&
                       call(stage, function, &process, &count) == mqs_ok;
    return known ? std::optional<std::uint64_t>(count) : std::nullopt;
}

void DllSession::finish() {
    for (const auto& image : handles_.images()) {
        if (image->info != nullptr) call(Stage::Destroying, dll_.destroy_image_info, image->info);
        image->info = nullptr;
    }
    mqs_job& job = handles_.job();
    if (job.info != nullptr && dll_.destroy_job_info != nullptr) {
        call(Stage::Destroying, dll_.destroy_job_info, job.info);
    }
    job.info = nullptr;
}

Result<Done> DllSession::ask_process(mqs_process& process) {
    TRY(set_up(process));
    TRY(check_queues(process));
    if (options_.set_up_only) return Done{};
    if (dll_.show_internal != nullptr) {
        call(Stage::ShowInternal, dll_.show_internal, &process, int{options_.show_internal});
    }
    const std::size_t failed_reads = process.failed_reads;
    const int code = call(Stage::UpdateCommunicatorList, dll_.update_communicator_list, &process);
    if (code != mqs_ok) return failure(Stage::UpdateCommunicatorList, code);
    if (process.failed_reads != failed_reads && dll_.get_comm_details == nullptr) {
        return Error{ErrorCode::CorruptData,
                     "mqs_update_communicator_list: the DLL went on after a read had failed"};
    }
    TRY(ask_communicators(process));
    TRY(ask_windows(process));
    ask_new_processes(process);
    return Done{};
}

Result<Done> DllSession::ask_communicators(mqs_process& process) {
    int code = call(Stage::SetupCommunicatorIterator, dll_.setup_communicator_iterator, &process);
    if (code == mqs_end_of_list) return Done{};
    if (code != mqs_ok) return failure(Stage::SetupCommunicatorIterator, code);
    for (std::size_t count = 0; count < kMaxCommunicators; ++count) {
        TRY(ask_communicator(process));
        code = call(Stage::NextCommunicator, dll_.next_communicator, &process);
        if (code == mqs_end_of_list) return Done{};
        if (code != mqs_ok) return failure(Stage::NextCommunicator, code);
    }
    return Error{ErrorCode::CorruptData,
                 fmt::format("the DLL lists more than {} communicators", kMaxCommunicators)};
}

Result<Done> DllSession::ask_communicator(mqs_process& process) {
    HostedCommunicator current;
    mqs_communicator& communicator = current.communicator;
    const int code = call(Stage::GetCommunicator, dll_.get_communicator, &process, &communicator);
    if (code != mqs_ok) return failure(Stage::GetCommunicator, code);
    terminate(communicator);
    current.details.struct_size = sizeof current.details;
    if (dll_.get_comm_details != nullptr) {
        current.has_details =
            call(Stage::CommunicatorDetails, dll_.get_comm_details, &process, &current.details) ==
            mqs_ok;
    }
    ask_groups(process, current);
    ask_message_counts(process, current);
    wire::put_communicator(channel_.writer(), current);
    channel_.flush_if_large();

    // The fourth queue is an extension.
    int last = mqs_unexpected_messages;
    if (dll_.get_comm_details != nullptr) last = mqs_pending_collectives;
    for (int queue = mqs_pending_sends; queue <= last; ++queue) {
        TRY(ask_queue(process, queue, current));
    }
    return Done{};
}

void DllSession::ask_groups(mqs_process& process, HostedCommunicator& communicator) {
    const long size = communicator.communicator.size;
    const bool inter = communicator.has_details && communicator.details.kind == mqs_comm_inter;
    const long remote_size = inter ? communicator.details.remote_size : 0;
    // A DLL may fill the group that `size` does not count; leave room for either.
    const auto room = static_cast<std::size_t>(std::max(size, remote_size));
    communicator.group =
        ask_group(process, Stage::CommunicatorGroup, dll_.get_comm_group, size, room);
    communicator.remote_group =
        ask_group(process, Stage::RemoteGroup, dll_.get_comm_remote_group, remote_size, room);
}

void DllSession::ask_message_counts(mqs_process& process, HostedCommunicator& communicator) {
    if (dll_.setup_message_counts == nullptr || dll_.next_message_counts == nullptr) return;
    int code = call(Stage::SetupMessageCounts, dll_.setup_message_counts, &process);
    if (code == mqs_no_information) return;
    communicator.counted = code == mqs_ok ? Counted::Yes : Counted::Incomplete;
    while (code == mqs_ok) {
        mqs_message_counts counts{};
        counts.struct_size = sizeof counts;
        code = call(Stage::NextMessageCounts, dll_.next_message_counts, &process, &counts);
        if (code != mqs_ok) break;
        if (communicator.message_counts.size() == kMaxMessageCounts) {
            communicator.counted = Counted::Incomplete;
            return;
        }
        communicator.message_counts.push_back(counts);
    }
    if (communicator.counted == Counted::Yes && code != mqs_end_of_list)
        communicator.counted = Counted::Incomplete;
}

std::vector<int> DllSession::ask_group(mqs_process& process,
                                       Stage stage,
                                       decltype(&mqs_get_comm_group) function,
                                       long size,
                                       std::size_t room) {
    if (function == nullptr || size <= 0 || size > kMaxCommunicatorSize) return {};
    const auto count = static_cast<std::size_t>(size);
    room = std::min(std::max(room, handles_.processes().size()),
                    static_cast<std::size_t>(kMaxCommunicatorSize));
    if (group_ranks_ + count > kMaxGroupRanks) return {};
    group_ranks_ += count;
    std::vector<int> group(room, kUnwritten);
    if (call(stage, function, &process, group.data()) != mqs_ok) return {};
    group.resize(count);
    if (std::ranges::find(group, kUnwritten) != group.end()) return {};
    if (process.target.world_first > 0) {
        for (int& rank : group)
            rank = number_of(process, rank);
    }
    return group;
}

std::vector<int> DllSession::ask_peers(mqs_process& process, int direction, std::size_t comm_size) {
    std::vector<int> ranks(comm_size, kUnwritten);
    int count = 0;
    const auto room = static_cast<int>(comm_size);
    const int code = call(Stage::OperationPeers,
                          dll_.get_operation_peers,
                          &process,
                          direction,
                          ranks.data(),
                          room,
                          &count);
    if (code != mqs_ok || count <= 0 || count > room) return {};
    ranks.resize(static_cast<std::size_t>(count));
    if (std::ranges::find(ranks, kUnwritten) != ranks.end()) return {};
    return ranks;
}

void DllSession::ask_details(mqs_process& process,
                             std::size_t comm_size,
                             HostedOperation& operation) {
    operation.receives_from.clear();
    operation.sends_to.clear();
    if (dll_.get_operation_details != nullptr) {
        operation.details = {};
        operation.details.struct_size = sizeof operation.details;
        operation.has_details = call(Stage::OperationDetails,
                                     dll_.get_operation_details,
                                     &process,
                                     &operation.details) == mqs_ok;
    }
    if (operation.queue != mqs_pending_collectives || dll_.get_operation_peers == nullptr) return;
    operation.receives_from = ask_peers(process, mqs_peers_receive, comm_size);
    operation.sends_to = ask_peers(process, mqs_peers_send, comm_size);
}

Result<Done> DllSession::ask_queue(mqs_process& process,
                                   int queue,
                                   const HostedCommunicator& hosted) {
    const std::size_t failed_reads = process.failed_reads;
    TRY(list_queue(process, queue, hosted));
    // MPICH's and Open MPI's DLLs take memory that cannot be read for zeros, and with
    // them a list for shorter than it is. One with our functions says so itself.
    if (process.failed_reads == failed_reads || dll_.get_operation_details != nullptr) {
        return Done{};
    }
    report_unknown(queue, hosted.communicator.name, Stage::NextOperation, mqs_no_information);
    send_problem(fmt::format("{} of {}: the DLL went on after a read had failed",
                             kQueueNames[static_cast<std::size_t>(queue)],
                             hosted.communicator.name));
    return Done{};
}

Result<Done> DllSession::list_queue(mqs_process& process,
                                    int queue,
                                    const HostedCommunicator& hosted) {
    const char* communicator = hosted.communicator.name;
    const long members = std::max<long>(hosted.communicator.size, hosted.details.remote_size);
    const auto comm_size = static_cast<std::size_t>(std::clamp(members, 0L, kMaxCommunicatorSize));
    int code = call(Stage::SetupOperationIterator, dll_.setup_operation_iterator, &process, queue);
    if (code == mqs_end_of_list) return Done{};
    if (code != mqs_ok) {
        report_unknown(queue, communicator, Stage::SetupOperationIterator, code);
        return Done{};
    }
    HostedOperation current;
    current.queue = queue;
    while (operations_ < options_.max_operations) {
        current.operation = {};
        // Not every DLL fills these for every operation; a zero would look like
        // rank 0.
        current.operation.actual_local_rank = -1;
        current.operation.actual_global_rank = -1;
        current.operation.actual_tag = -1;
        current.operation.actual_length = -1;
        code = call(Stage::NextOperation, dll_.next_operation, &process, &current.operation);
        if (code == mqs_end_of_list) return Done{};
        if (code != mqs_ok) {
            report_unknown(queue, communicator, Stage::NextOperation, code);
            return Done{};
        }
        ++operations_;
        if (process.target.world_first > 0) {
            auto& operation = current.operation;
            operation.desired_global_rank = number_of(process, operation.desired_global_rank);
            operation.actual_global_rank = number_of(process, operation.actual_global_rank);
        }
        ask_details(process, comm_size, current);
        wire::put_operation(channel_.writer(), current);
        channel_.flush_if_large();
    }
    return Error{ErrorCode::CorruptData,
                 fmt::format("the DLL lists more than {} operations", options_.max_operations)};
}

void DllSession::report_unknown(int queue, const char* communicator, Stage stage, int code) {
    auto& writer = channel_.writer();
    writer.begin(wire::Kind::UnknownQueue);
    writer.put(queue);
    writer.end();
    if (code == mqs_no_information) return;
    send_problem(
        failure(stage, code)
            .in(fmt::format("{} of {}", kQueueNames[static_cast<std::size_t>(queue)], communicator))
            .message);
}

void DllSession::send_problem(const std::string& text) {
    auto& writer = channel_.writer();
    writer.begin(wire::Kind::Problem);
    writer.put_text(text);
    writer.end();
}

}  // namespace mqinspect::mqs_host

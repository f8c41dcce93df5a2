#include "inspector/conformance/driver.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "inspector/conformance/system_calls.h"

namespace mqinspect::conformance {

using mqs_host::Stage;

namespace {

constexpr std::size_t kMaxCommunicators = 100'000;
constexpr std::size_t kMaxOperations = 1'000'000;
constexpr long kMaxGroup = long{1} << 20;
constexpr std::size_t kGuardRanks = 16;
/// No DLL has a text for it.
constexpr int kNonsenseCode = 987'654;

int pattern() {
    int value = 0;
    std::memset(&value, kUnwritten, sizeof value);
    return value;
}

bool is_untouched(const mqs_pending_operation& operation) {
    return std::ranges::all_of(std::as_bytes(std::span{&operation, 1}),
                               [](std::byte byte) { return byte == std::byte{kUnwritten}; });
}

std::string_view text_of(Stage stage) {
    return mqs_host::stage_name(static_cast<std::uint32_t>(stage));
}

}  // namespace

Driver::Driver(const mqs_host::Dll& dll, Debugger& debugger, std::atomic<std::uint32_t>& word)
    : dll_(dll), debugger_(debugger), word_(word) {
    const DebuggedJob& job = debugger.job();
    for (std::size_t i = 0; i < job.images(); ++i)
        images_.push_back({.image = i});
    for (std::size_t i = 0; i < job.processes().size(); ++i) {
        processes_.push_back(
            {.process = i, .image = &images_[job.processes()[i].image], .tampered = {}});
        debugger_.known_processes().push_back(&processes_.back());
    }
}

DebuggedProcess& Driver::add_twin(const DebuggedProcess& process) {
    images_.push_back({.image = process.image->image});
    processes_.push_back(
        {.process = process.process, .image = &images_.back(), .tampered = process.tampered});
    return processes_.back();
}

void Driver::begin(Stage stage) {
    ++calls_;
    word_.store(calls_ << kStageBits | static_cast<std::uint32_t>(stage));
    debugger_.enter(text_of(stage));
}

void Driver::finish() {
    // First: what is done here allocates, too.
    debugger_.leave();
    for (const std::string& name : take_trapped_calls()) {
        journal().violation(Rule::SystemCalls, debugger_.function(), fmt::format("calls {}", name));
    }
}

void Driver::check_code(Stage stage, int code) {
    const std::string_view function = text_of(stage);
    if (code == mqs_ok || code == mqs_no_information || code == mqs_end_of_list) return;
    if (code < mqs_first_user_code) {
        journal().violation(Rule::ResultCode, function, fmt::format("returns {}", code));
        return;
    }
    const char* text = call(Stage::ErrorString, dll_.error_string, code);
    const std::string copy = text == nullptr ? "" : text;
    check_text(journal(), Rule::ErrorText, "mqs_dll_error_string", text);
    const char* nonsense = call(Stage::ErrorString, dll_.error_string, kNonsenseCode);
    if (nonsense != nullptr && copy == nonsense) {
        journal().violation(Rule::ErrorText,
                            "mqs_dll_error_string",
                            fmt::format("has no text for {}, which {} returns: {}",
                                        code,
                                        function,
                                        quoted(copy.c_str(), copy.size())));
    }
}

void Driver::check_message(Stage stage, const char* message) {
    if (message == nullptr) return;
    check_text(journal(), Rule::Message, text_of(stage), message);
    const std::string_view text(message, strnlen(message, 4096));
    int names = 0;
    for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
        const std::string_view directive = text.substr(at, 2);
        names += directive == "%s" ? 1 : 0;
        if ((directive != "%s" && directive != "%%") || names > 1) {
            journal().violation(Rule::Message, text_of(stage), "has more than one %s");
            return;
        }
        at += 2;
    }
}

void Driver::begin_session(bool with_job) {
    call(Stage::SetupBasicCallbacks, dll_.setup_basic_callbacks, debugger_.basic_callbacks());
    if (!with_job || dll_.setup_job == nullptr) return;
    has_job_ =
        code(Stage::SetupJob, dll_.setup_job, debugger_.job_handle(), debugger_.job_callbacks()) ==
        mqs_ok;
}

bool Driver::set_up_image(DebuggedImage& image) {
    for (const auto& [known, has_queues] : set_up_images_) {
        if (known == &image) return has_queues;
    }
    bool has_queues =
        code(Stage::SetupImage, dll_.setup_image, image.handle(), debugger_.image_callbacks()) ==
        mqs_ok;
    if (has_queues) {
        char* message = nullptr;
        has_queues =
            code(Stage::ImageHasQueues, dll_.image_has_queues, image.handle(), &message) == mqs_ok;
        check_message(Stage::ImageHasQueues, message);
    }
    set_up_images_.emplace_back(&image, has_queues);
    return has_queues;
}

bool Driver::set_up(DebuggedProcess& process) {
    if (!set_up_image(*process.image)) return false;
    if (code(Stage::SetupProcess,
             dll_.setup_process,
             process.handle(),
             debugger_.process_callbacks()) != mqs_ok) {
        return false;
    }
    if (has_job_ && dll_.set_process_identity != nullptr) {
        code(Stage::SetProcessIdentity,
             dll_.set_process_identity,
             process.handle(),
             world_rank(process));
    }
    char* message = nullptr;
    const int result =
        code(Stage::ProcessHasQueues, dll_.process_has_queues, process.handle(), &message);
    check_message(Stage::ProcessHasQueues, message);
    return result == mqs_ok;
}

int Driver::world_rank(const DebuggedProcess& process) const {
    return debugger_.job().processes()[process.process].rank;
}

Look Driver::look(DebuggedProcess& process) {
    Look look;
    look.update =
        code(Stage::UpdateCommunicatorList, dll_.update_communicator_list, process.handle());
    iterate(process, look);
    return look;
}

void Driver::iterate(DebuggedProcess& process, Look& look) {
    look.setup =
        code(Stage::SetupCommunicatorIterator, dll_.setup_communicator_iterator, process.handle());
    look.end = look.setup;
    while (look.end == mqs_ok) {
        look.communicators.push_back(look_at_communicator(process));
        look.end = code(Stage::NextCommunicator, dll_.next_communicator, process.handle());
        if (look.communicators.size() > kMaxCommunicators) {
            journal().violation(Rule::Endless,
                                "mqs_next_communicator",
                                fmt::format("lists more than {}", kMaxCommunicators));
            return;
        }
    }
    check_look(journal(), look);
}

SeenCommunicator Driver::look_at_communicator(DebuggedProcess& process) {
    SeenCommunicator seen;
    std::memset(&seen.communicator, kUnwritten, sizeof seen.communicator);
    const int result =
        code(Stage::GetCommunicator, dll_.get_communicator, process.handle(), &seen.communicator);
    if (result != mqs_ok) {
        journal().violation(Rule::CurrentCommunicator,
                            "mqs_get_communicator",
                            fmt::format("returns {} where there is one", result));
        seen.communicator = {};
        return seen;
    }
    check_communicator(journal(), seen.communicator);
    if (std::strncmp(seen.communicator.name, "MPI_COMM_WORLD", sizeof seen.communicator.name) ==
        0) {
        world_size_ = seen.communicator.size;
    }
    ask_group(process, seen);
    for (int queue = mqs_pending_sends; queue <= mqs_unexpected_messages; ++queue)
        seen.queues[queue] = look_at_queue(process, seen, queue);
    return seen;
}

void Driver::ask_group(DebuggedProcess& process, SeenCommunicator& seen) {
    const long size = seen.communicator.size;
    if (dll_.get_comm_group == nullptr || size < 1 || size > kMaxGroup) return;
    const auto count = static_cast<std::size_t>(size);
    std::vector<int> ranks(count + kGuardRanks, pattern());
    if (code(Stage::CommunicatorGroup, dll_.get_comm_group, process.handle(), ranks.data()) !=
        mqs_ok) {
        return;
    }
    const std::span<const int> all(ranks);
    check_group(
        journal(), seen.communicator, all.first(count), all.subspan(count), world_rank(process));
    seen.group.assign(ranks.begin(), ranks.begin() + size);
    if (dll_.get_comm_details == nullptr) return;
    mqs_comm_details details{};
    details.struct_size = sizeof details;
    const int told =
        code(Stage::CommunicatorDetails, dll_.get_comm_details, process.handle(), &details);
    seen.peers_in_group = told == mqs_ok && details.kind == mqs_comm_intra;
}

SeenQueue Driver::look_at_queue(DebuggedProcess& process,
                                const SeenCommunicator& communicator,
                                int queue) {
    SeenQueue seen;
    seen.setup =
        code(Stage::SetupOperationIterator, dll_.setup_operation_iterator, process.handle(), queue);
    seen.end = seen.setup;
    const long size = std::max(communicator.communicator.size, world_size_);
    const long largest_rank = size > 0 ? size - 1 : kMaxGroup;
    while (seen.end == mqs_ok) {
        mqs_pending_operation operation;
        std::memset(&operation, kUnwritten, sizeof operation);
        seen.end = code(Stage::NextOperation, dll_.next_operation, process.handle(), &operation);
        if (seen.end == mqs_end_of_list && !is_untouched(operation)) {
            journal().violation(Rule::AfterTheEnd,
                                "mqs_next_operation",
                                "writes an operation although it says mqs_end_of_list");
        }
        if (seen.end != mqs_ok) break;
        check_operation(journal(), communicator, queue, operation, largest_rank);
        seen.operations.push_back(operation);
        if (seen.operations.size() > kMaxOperations) {
            journal().violation(Rule::Endless,
                                "mqs_next_operation",
                                fmt::format("lists more than {}", kMaxOperations));
            break;
        }
    }
    return seen;
}

void Driver::destroy(DebuggedProcess& process) {
    if (process.info == nullptr) return;
    call(Stage::Destroying, dll_.destroy_process_info, process.info);
    process.info = nullptr;
}

void Driver::destroy(DebuggedImage& image) {
    if (image.info == nullptr) return;
    call(Stage::Destroying, dll_.destroy_image_info, image.info);
    image.info = nullptr;
}

void Driver::end_session() {
    for (DebuggedProcess& process : processes_)
        destroy(process);
    for (DebuggedImage& image : images_)
        destroy(image);
    mqs_job_info*& job = debugger_.job_info();
    if (job != nullptr && dll_.destroy_job_info != nullptr) {
        call(Stage::Destroying, dll_.destroy_job_info, job);
        job = nullptr;
    }
}

}  // namespace mqinspect::conformance

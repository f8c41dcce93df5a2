#include "inspector/mqs_host/open_mpi.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "inspector/mqs_host/open_mpi_requests.h"

namespace mqinspect::mqs_host {

namespace {

using target::Address;

constexpr std::uint64_t kInterFlag = 1;   // OMPI_COMM_INTER
constexpr std::uint64_t kDenseGroup = 4;  // OMPI_GROUP_DENSE
constexpr int kInactive = 1;              // OMPI_REQUEST_INACTIVE
constexpr std::uint64_t kCompleted = 1;   // REQUEST_COMPLETED
constexpr int kAnyTag = -1;
constexpr std::int32_t kLastNonblockingTag = -(INT32_MAX / 2) + 1;
constexpr std::size_t kMaxCommunicators = 1'000'000;
constexpr std::size_t kMaxMembers = std::size_t{1} << 24;
constexpr std::uint64_t kMaxObjectBytes = 65536;
constexpr std::size_t kMaxNameBytes = 64;

/// mca_pml_base_send_mode_t, in its order.
constexpr std::array kSendKinds{
    mqs_op_synchronous_send, mqs_op_send, mqs_op_buffered_send, mqs_op_ready_send, mqs_op_send};

/// One type of the library, and whether all the fields that were asked for are there.
class Fields {
public:
    Fields(const target::DebugSymbols& view, std::string_view type, bool& complete)
        : type_(view.find_type(type)), complete_(complete) {
        if (type_ == nullptr || type_->size > kMaxObjectBytes) complete_ = false;
    }
    std::uint64_t size() const { return type_ == nullptr ? 0 : type_->size; }
    /// With `bytes` the field must have this size.
    std::uint64_t at(std::string_view field, std::uint64_t bytes) const {
        if (type_ == nullptr) return 0;
        for (const auto& candidate : type_->fields) {
            if (candidate.name == field && candidate.offset >= 0 && candidate.size >= bytes) {
                return static_cast<std::uint64_t>(candidate.offset);
            }
        }
        complete_ = false;
        return 0;
    }

private:
    const target::TypeLayout* type_;
    bool& complete_;
};

/// Where everything is, in bytes.
struct Layout {
    bool complete = true;

    std::uint64_t array_size = 0, array_items = 0;
    std::uint64_t context_id = 0, flags = 0, local_group = 0, remote_group = 0, nbc_tag = 0;
    std::uint64_t group_count = 0, group_members = 0, group_flags = 0;
    std::uint64_t proc_name = 0, jobid = 0, vpid = 0;
    std::uint64_t base_bytes = 0;  ///< of mca_pml_base_request_t
    std::uint64_t state = 0, completed = 0, persistent = 0, status_tag = 0;
    std::uint64_t pml_completed = 0, datatype = 0, count = 0, tag = 0, sequence = 0;
    std::uint64_t send_mode = 0, datatype_name = 0;

    explicit Layout(const target::DebugSymbols& view) {
        const Fields array(view, "opal_pointer_array_t", complete);
        array_size = array.at("size", sizeof(std::int32_t));
        array_items = array.at("addr", sizeof(std::uint64_t));
        const Fields communicator(view, "ompi_communicator_t", complete);
        context_id = communicator.at("c_contextid", sizeof(std::uint32_t));
        flags = communicator.at("c_flags", sizeof(std::uint32_t));
        local_group = communicator.at("c_local_group", sizeof(std::uint64_t));
        remote_group = communicator.at("c_remote_group", sizeof(std::uint64_t));
        nbc_tag = communicator.at("c_nbc_tag", sizeof(std::int32_t));
        const Fields group(view, "ompi_group_t", complete);
        group_count = group.at("grp_proc_count", sizeof(std::int32_t));
        group_members = group.at("grp_proc_pointers", sizeof(std::uint64_t));
        group_flags = group.at("grp_flags", sizeof(std::uint32_t));
        const Fields process(view, "opal_proc_t", complete);
        proc_name = process.at("proc_name", sizeof(std::uint64_t));
        const Fields name(view, "opal_process_name_t", complete);
        jobid = name.at("jobid", sizeof(std::uint32_t));
        vpid = name.at("vpid", sizeof(std::uint32_t));
        find_request(view);
        datatype_name = Fields(view, "ompi_datatype_t", complete).at("name", kMaxNameBytes);
    }

private:
    void find_request(const target::DebugSymbols& view) {
        const Fields request(view, "ompi_request_t", complete);
        const Fields base(view, "mca_pml_base_request_t", complete);
        const Fields status(view, "ompi_status_public_t", complete);
        const Fields send(view, "mca_pml_base_send_request_t", complete);
        const std::uint64_t inner = base.at("req_ompi", request.size());
        base_bytes = base.size();
        state = inner + request.at("req_state", sizeof(std::int32_t));
        completed = inner + request.at("req_complete", sizeof(std::uint64_t));
        persistent = inner + request.at("req_persistent", sizeof(std::uint8_t));
        status_tag = inner + request.at("req_status", sizeof(std::uint64_t)) +
                     status.at("MPI_TAG", sizeof(std::int32_t));
        pml_completed = base.at("req_pml_complete", sizeof(std::int32_t));
        datatype = base.at("req_datatype", sizeof(std::uint64_t));
        count = base.at("req_count", sizeof(std::uint64_t));
        tag = base.at("req_tag", sizeof(std::int32_t));
        sequence = base.at("req_sequence", sizeof(std::uint64_t));
        send_mode = send.at("req_base", base_bytes) + send.at("req_send_mode", sizeof(int));
        if (status_tag + sizeof(std::int32_t) > base_bytes) complete = false;
    }
};

/// A copy of an object, taken with one read.
class Object {
public:
    static Result<Object> read(const target::Memory& memory,
                               std::uint64_t address,
                               std::uint64_t bytes) {
        Object object;
        object.bytes_.resize(bytes);
        TRY(memory.read(Address{address}, object.bytes_));
        return object;
    }
    /// Precondition: the layout says that the object holds it.
    template <class T>
    T at(std::uint64_t offset) const {
        T value{};
        if (offset + sizeof value <= bytes_.size()) {
            std::memcpy(&value, bytes_.data() + offset, sizeof value);
        }
        return value;
    }

private:
    std::vector<std::byte> bytes_;
};

/// "Receive: 0x55d0c0de" as the DLL writes it.
std::optional<std::uint64_t> request_in(const mqs_pending_operation& operation) {
    const std::string_view text{operation.extra_text[0],
                                strnlen(operation.extra_text[0], sizeof operation.extra_text[0])};
    const std::size_t prefix = text.find("0x");
    if (prefix == std::string_view::npos) return std::nullopt;
    std::uint64_t address = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + prefix + 2, end, address, 16);
    if (parsed.ec != std::errc{} || parsed.ptr != end || address == 0) return std::nullopt;
    return address;
}

/// The DLL widens what are 32-bit signed numbers without their sign.
template <class Number>
void narrow(Number& number) {
    number = static_cast<std::int32_t>(number);
}

class Correction {
public:
    Correction(const HostedProcess& process, HostedQueues& queues)
        : view_(*process.view),
          memory_(*process.memory),
          first_(process.world_first),
          queues_(queues),
          layout_(view_) {}

    void run() {
        std::erase_if(queues_.communicators, [](const HostedCommunicator& communicator) {
            return communicator.communicator.size == 0;  // MPI_COMM_NULL
        });
        const auto known =
            layout_.complete
                ? find_communicators()
                : Result<Done>(Error{ErrorCode::MissingDebugInfo, "types are missing"});
        if (!known) {
            forget_queues("what the debugger DLL says of Open MPI cannot be checked: " +
                          known.error().message);
            for (auto& communicator : queues_.communicators)
                communicator.group.clear();
            return;
        }
        const std::string layer = point_to_point_layer(view_, memory_);
        if (layer != "ob1") {
            forget_queues(layer.empty() ? "the layer that moves Open MPI's messages is not known"
                                        : fmt::format("Open MPI's layer {} keeps its queues out of "
                                                      "sight; --mca pml ob1 shows them",
                                                      layer));
        }
        for (auto& communicator : queues_.communicators)
            correct(communicator);
        const auto survey = survey_requests(view_, memory_);
        if (!survey || layer != "ob1") return;
        queues_.progress_count = survey->fingerprint;
        for (auto& communicator : queues_.communicators)
            add_collectives(communicator, survey->internal);
    }

private:
    struct Sequenced {
        std::uint64_t sequence = 0;
        HostedOperation operation;
    };

    void forget_queues(const std::string& why) {
        queues_.problems.push_back(why);
        for (auto& communicator : queues_.communicators)
            forget_queues(communicator);
    }
    static void forget_queues(HostedCommunicator& communicator) {
        communicator.operations.clear();
        communicator.unknown_queues = {
            mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages};
    }

    Result<Done> find_communicators();
    Result<std::uint32_t> own_job();
    Result<std::vector<int>> members(std::uint64_t group);
    Result<int> world_rank(std::uint64_t process);
    void correct(HostedCommunicator& communicator);
    Result<Done> describe(HostedCommunicator& communicator, std::uint64_t address);
    Result<std::optional<std::uint64_t>> correct(HostedOperation& hosted);
    Result<Done> describe(HostedOperation& hosted, const Object& request, std::uint64_t address);
    std::string datatype(std::uint64_t address);
    void add_collectives(HostedCommunicator& communicator,
                         const std::vector<InternalRequest>& requests) const;

    const target::DebugSymbols& view_;
    const target::Memory& memory_;
    int first_;  ///< number of rank 0 of the process's MPI_COMM_WORLD
    HostedQueues& queues_;
    Layout layout_;
    std::uint32_t job_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> communicators_;  ///< by context id
    std::unordered_map<std::uint64_t, std::string> datatypes_;
};

Result<std::uint32_t> Correction::own_job() {
    const auto symbol = view_.find_symbol("ompi_proc_local_proc");
    if (!symbol) return Error{ErrorCode::MissingDebugInfo, "no symbol ompi_proc_local_proc"};
    const auto own = TRY(target::read_value<std::uint64_t>(memory_, *symbol));
    return target::read_value<std::uint32_t>(memory_,
                                             Address{own} + layout_.proc_name + layout_.jobid);
}

Result<Done> Correction::find_communicators() {
    job_ = TRY(own_job());
    const auto array = view_.find_symbol("ompi_mpi_communicators");
    if (!array) return Error{ErrorCode::MissingDebugInfo, "no symbol ompi_mpi_communicators"};
    const auto size = TRY(target::read_value<std::int32_t>(memory_, *array + layout_.array_size));
    const auto items =
        TRY(target::read_value<std::uint64_t>(memory_, *array + layout_.array_items));
    if (size < 0 || static_cast<std::size_t>(size) > kMaxCommunicators) {
        return Error{ErrorCode::CorruptData, fmt::format("{} communicators", size)};
    }
    std::vector<std::uint64_t> addresses(static_cast<std::size_t>(size));
    TRY(memory_.read(Address{items}, std::as_writable_bytes(std::span{addresses})));
    for (const std::uint64_t address : addresses) {
        if (address == 0) continue;
        const auto id =
            TRY(target::read_value<std::uint32_t>(memory_, Address{address} + layout_.context_id));
        communicators_.try_emplace(id, address);
    }
    return Done{};
}

/// The number of a process object in the job, -1 for a process of another world.
/// Until two processes have met there is its name in place of a pointer
/// (ompi_proc_name_to_sentinel).
Result<int> Correction::world_rank(std::uint64_t process) {
    std::uint32_t job = 0;
    std::uint32_t rank = 0;
    if ((process & 1U) != 0) {
        job = static_cast<std::uint32_t>((process >> 16U & 0xFFFFU) << 16U |
                                         (process >> 1U & 0x7FFFU));
        rank = static_cast<std::uint32_t>(process >> 32U);
    } else {
        const Address name = Address{process} + layout_.proc_name;
        job = TRY(target::read_value<std::uint32_t>(memory_, name + layout_.jobid));
        rank = TRY(target::read_value<std::uint32_t>(memory_, name + layout_.vpid));
    }
    return job == job_ && rank < kMaxMembers ? first_ + static_cast<int>(rank) : -1;
}

Result<std::vector<int>> Correction::members(std::uint64_t group) {
    const Address address{group};
    const auto count =
        TRY(target::read_value<std::int32_t>(memory_, address + layout_.group_count));
    const auto flags =
        TRY(target::read_value<std::uint32_t>(memory_, address + layout_.group_flags));
    if (count < 0 || static_cast<std::size_t>(count) > kMaxMembers) {
        return Error{ErrorCode::CorruptData, fmt::format("a group of {} processes", count)};
    }
    if ((flags & kDenseGroup) == 0) return std::vector<int>{};
    const auto table =
        TRY(target::read_value<std::uint64_t>(memory_, address + layout_.group_members));
    std::vector<std::uint64_t> processes(static_cast<std::size_t>(count));
    TRY(memory_.read(Address{table}, std::as_writable_bytes(std::span{processes})));
    std::vector<int> ranks;
    ranks.reserve(processes.size());
    for (const std::uint64_t process : processes)
        ranks.push_back(TRY(world_rank(process)));
    return ranks;
}

Result<Done> Correction::describe(HostedCommunicator& communicator, std::uint64_t address) {
    const Address at{address};
    const auto flags = TRY(target::read_value<std::uint32_t>(memory_, at + layout_.flags));
    const auto local = TRY(target::read_value<std::uint64_t>(memory_, at + layout_.local_group));
    communicator.group = TRY(members(local));
    mqs_comm_details details{};
    details.struct_size = sizeof details;
    details.kind = (flags & kInterFlag) != 0 ? mqs_comm_inter : mqs_comm_intra;
    details.named = 1;
    details.address = address;
    details.context_id = static_cast<long long>(communicator.communicator.unique_id);
    details.recv_context_id = details.context_id;
    details.collectives_started = -1;
    if (details.kind == mqs_comm_inter) {
        const auto remote =
            TRY(target::read_value<std::uint64_t>(memory_, at + layout_.remote_group));
        communicator.remote_group = TRY(members(remote));
        details.remote_size = static_cast<int>(communicator.remote_group.size());
    }
    communicator.details = details;
    communicator.has_details = true;
    return Done{};
}

void Correction::correct(HostedCommunicator& communicator) {
    const auto known = communicators_.find(communicator.communicator.unique_id);
    const auto described = known == communicators_.end()
                               ? Result<Done>(Error{ErrorCode::CorruptData, "it is not listed"})
                               : describe(communicator, known->second);
    if (!described) {
        queues_.problems.push_back(fmt::format(
            "communicator {}: {}", communicator.communicator.name, described.error().message));
        communicator.group.clear();
        forget_queues(communicator);
        return;
    }
    std::vector<Sequenced> operations;
    for (HostedOperation& hosted : communicator.operations) {
        const auto sequence = correct(hosted);
        if (!sequence) {
            queues_.problems.push_back(fmt::format("an operation on {}: {}",
                                                   communicator.communicator.name,
                                                   sequence.error().message));
            communicator.unknown_queues.push_back(hosted.queue);
        } else if (*sequence) {
            operations.push_back({**sequence, std::move(hosted)});
        }
    }
    // Each queue in the order in which it was filled.
    std::ranges::stable_sort(operations, {}, [](const Sequenced& entry) {
        return std::pair(entry.operation.queue, entry.sequence);
    });
    communicator.operations.clear();
    for (Sequenced& entry : operations)
        communicator.operations.push_back(std::move(entry.operation));
}

/// The operation's number in its queue; empty: it is none that has started.
Result<std::optional<std::uint64_t>> Correction::correct(HostedOperation& hosted) {
    const auto address = request_in(hosted.operation);
    if (!address) return Error{ErrorCode::CorruptData, "the debugger DLL names no request"};
    const auto request = TRY(Object::read(memory_, *address, layout_.base_bytes));
    if (request.at<std::int32_t>(layout_.state) == kInactive) return std::optional<std::uint64_t>();
    TRY(describe(hosted, request, *address));
    return std::optional(request.at<std::uint64_t>(layout_.sequence));
}

Result<Done> Correction::describe(HostedOperation& hosted,
                                  const Object& request,
                                  std::uint64_t address) {
    mqs_pending_operation& operation = hosted.operation;
    mqs_operation_details& details = hosted.details;
    const bool is_send = hosted.queue == mqs_pending_sends;
    details = {};
    details.struct_size = sizeof details;
    details.request_address = address;
    details.kind = mqs_op_receive;
    details.persistent = request.at<std::uint8_t>(layout_.persistent) != 0 ? 1 : 0;
    details.count = static_cast<long long>(request.at<std::uint64_t>(layout_.count));
    details.sequence = -1;
    const std::string name = datatype(request.at<std::uint64_t>(layout_.datatype));
    name.copy(details.datatype_name, sizeof details.datatype_name - 1);
    hosted.has_details = true;

    narrow(operation.desired_local_rank);
    narrow(operation.desired_global_rank);
    narrow(operation.desired_tag);
    narrow(operation.actual_tag);
    // "Data: 4 * MPI_": the 4 is the size of the datatype, not the count.
    std::memset(operation.extra_text, 0, sizeof operation.extra_text);

    // While a thread waits for a request, its place for "complete" holds the address
    // of what the thread waits with; of that the DLL looks at one byte.
    const bool complete = request.at<std::uint64_t>(layout_.completed) == kCompleted;
    const bool matched = !is_send && request.at<std::int32_t>(layout_.status_tag) != kAnyTag;
    operation.status = complete ? mqs_st_complete : matched ? mqs_st_matched : mqs_st_pending;
    if (is_send) {
        const auto mode =
            TRY(target::read_value<std::uint32_t>(memory_, Address{address} + layout_.send_mode));
        details.kind = mode < kSendKinds.size() ? kSendKinds[mode] : mqs_op_unknown;
        // The user is done with a buffered message, the library is not.
        const bool under_way = request.at<std::int32_t>(layout_.pml_completed) == 0;
        if (complete && under_way) {
            operation.status = mqs_st_pending;
            details.kind = mqs_op_buffered_send;
        }
        return Done{};
    }
    if (operation.status == mqs_st_pending) {
        operation.actual_local_rank = -1;
        operation.actual_global_rank = -1;
        operation.actual_tag = -1;
        operation.actual_length = -1;
    } else {
        narrow(operation.actual_local_rank);
        narrow(operation.actual_global_rank);
    }
    return Done{};
}

/// Messages of blocking operations have one of few tags. Each nonblocking one takes the next
/// below them on its communicator, in the same order on all members
/// (ompi_coll_base_nbc_reserve_tags); which makes its number.
void Correction::add_collectives(HostedCommunicator& communicator,
                                 const std::vector<InternalRequest>& requests) const {
    const std::uint64_t address = communicator.details.address;
    if (!communicator.has_details || address == 0) return;
    const auto next = target::read_value<std::int32_t>(memory_, Address{address} + layout_.nbc_tag);
    if (!next || *next > kFirstNonblockingTag || *next <= kLastNonblockingTag) return;
    communicator.details.collectives_started = std::int64_t{kFirstNonblockingTag} - *next;
    std::map<std::int32_t, HostedOperation> nonblocking;
    for (const InternalRequest& request : requests) {
        const bool blocking = request.tag > kFirstNonblockingTag;
        // What is not of a collective operation has other tags.
        if (request.communicator != address || (!blocking && request.tag <= *next)) continue;
        communicator.operations.push_back(hosted_message(request));
        if (blocking) continue;
        HostedOperation& whole = nonblocking[-request.tag];
        (request.send ? whole.sends_to : whole.receives_from).push_back(request.peer);
    }
    for (auto& [tag, whole] : nonblocking) {
        whole.queue = mqs_pending_collectives;
        whole.operation.status = mqs_st_pending;
        whole.details.struct_size = sizeof whole.details;
        whole.details.kind = mqs_op_collective;
        whole.details.count = -1;
        whole.details.sequence = std::int64_t{kFirstNonblockingTag} + tag;
        whole.has_details = true;
        for (auto* ranks : {&whole.sends_to, &whole.receives_from}) {
            std::ranges::sort(*ranks);
            ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
        }
        communicator.operations.push_back(std::move(whole));
    }
}

std::string Correction::datatype(std::uint64_t address) {
    const auto [place, is_new] = datatypes_.try_emplace(address);
    if (is_new && address != 0) {
        const auto text =
            target::read_string(memory_, Address{address} + layout_.datatype_name, kMaxNameBytes);
        if (text) place->second = *text;
    }
    return place->second;
}

}  // namespace

bool is_open_mpi(const target::DebugSymbols& view) {
    return view.find_symbol("ompi_mpi_comm_world").has_value();
}

std::string point_to_point_layer(const target::DebugSymbols& view, const target::Memory& memory) {
    bool complete = true;
    const Fields component(view, "mca_pml_base_component_2_0_0_t", complete);
    const Fields common(view, "mca_base_component_t", complete);
    const std::uint64_t offset =
        component.at("pmlm_version", common.size()) + common.at("mca_component_name", 1);
    const auto symbol = view.find_symbol("mca_pml_base_selected_component");
    if (!complete || !symbol) return {};
    return target::read_string(memory, *symbol + offset, kMaxNameBytes).value_or(std::string{});
}

void correct_open_mpi(const HostedProcess& process, HostedQueues& queues) {
    Correction(process, queues).run();
}

}  // namespace mqinspect::mqs_host

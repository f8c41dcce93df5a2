#include "inspector/mqs_host/mpich_dll.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "inspector/mqs_host/open_mpi.h"

namespace mqinspect::mqs_host {

namespace {

using target::Address;

constexpr int kIntercommunicator = 1;                 // MPIR_COMM_KIND__INTERCOMM
constexpr int kNodeRoots = 2;                         // MPIR_COMM_HIERARCHY_KIND__NODE_ROOTS
constexpr std::uint32_t kInternalWorld = 0x44000002;  // MPI_ICOMM_WORLD
constexpr std::string_view kUnnamed = "--unnamed--";

/// Fields of MPIR_Comm; reading one that is not there fails.
class CommunicatorObject {
public:
    CommunicatorObject(const HostedProcess& process, std::uint64_t address)
        : type_(process.view->find_type("MPIR_Comm")),
          memory_(*process.memory),
          address_(address) {}

    /// A number of 2 or 4 bytes, as the field is.
    Result<std::int64_t> number(std::string_view field) const {
        const auto* found = find(field);
        if (found == nullptr || found->offset < 0) {
            return Error{ErrorCode::MissingDebugInfo, fmt::format("no field {}", field)};
        }
        const Address at = Address{address_} + static_cast<std::uint64_t>(found->offset);
        if (found->size == sizeof(std::uint16_t)) {
            return std::int64_t{TRY(target::read_value<std::uint16_t>(memory_, at))};
        }
        return std::int64_t{TRY(target::read_value<std::int32_t>(memory_, at))};
    }

private:
    const target::TypeLayout::Field* find(std::string_view field) const {
        if (type_ == nullptr) return nullptr;
        const auto found =
            std::ranges::find(type_->fields, field, &target::TypeLayout::Field::name);
        return found != type_->fields.end() ? &*found : nullptr;
    }

    const target::TypeLayout* type_;
    const target::Memory& memory_;
    std::uint64_t address_;
};

/// The DLL's id is the address of the object.
Result<Done> describe(const HostedProcess& process, HostedCommunicator& hosted) {
    mqs_communicator& communicator = hosted.communicator;
    const std::uint64_t address = communicator.unique_id;
    const CommunicatorObject object(process, address);
    const auto context = TRY(object.number("recvcontext_id"));
    const auto hierarchy = TRY(object.number("hierarchy_kind"));
    mqs_comm_details details{};
    details.struct_size = sizeof details;
    details.handle = static_cast<std::uint32_t>(TRY(object.number("handle")));
    details.kind =
        TRY(object.number("comm_kind")) == kIntercommunicator ? mqs_comm_inter : mqs_comm_intra;
    details.internal = hierarchy >= kNodeRoots || details.handle == kInternalWorld ? 1 : 0;
    details.named = communicator.name != kUnnamed ? 1 : 0;
    details.address = address;
    details.context_id = TRY(object.number("context_id"));
    details.recv_context_id = context;
    details.collectives_started = -1;
    if (details.kind == mqs_comm_inter) {
        details.remote_size = static_cast<int>(TRY(object.number("remote_size")));
        communicator.size = TRY(object.number("local_size"));
    }
    // Equal on all members, which an address is not.
    communicator.unique_id = static_cast<mqs_taddr_t>(context);
    hosted.details = details;
    hosted.has_details = true;
    return Done{};
}

/// Of MPICH 4.0 on ch4 the DLL looks for fields where they are not, and reads others.
bool reads_wrong_fields(const target::DebugSymbols& view) {
    const target::TypeLayout* device = view.find_type("MPIDIG_req_t");
    return device != nullptr && device->offset_of("rank") < 0;
}

void correct(HostedCommunicator& communicator) {
    auto& operations = communicator.operations;
    for (HostedOperation& hosted : operations) {
        mqs_pending_operation& operation = hosted.operation;
        hosted.details = {};
        hosted.details.struct_size = sizeof hosted.details;
        hosted.details.sequence = -1;
        hosted.details.count =
            hosted.queue == mqs_unexpected_messages ? -1 : operation.desired_length;
        hosted.has_details = true;
        hosted.doubtful = hosted.queue == mqs_pending_sends;
        operation.desired_length = -1;
        operation.actual_length = -1;
        if (hosted.queue == mqs_unexpected_messages) operation.buffer = 0;
        if (hosted.queue == mqs_pending_receives) {
            operation.actual_local_rank = -1;
            operation.actual_tag = -1;
        }
        // "Non-blocking send", of persistent ones as well.
        std::memset(operation.extra_text, 0, sizeof operation.extra_text);
    }
    const auto is_send = [](const HostedOperation& hosted) {
        return hosted.queue == mqs_pending_sends;
    };
    const auto end_of_sends = std::ranges::find_if_not(operations, is_send);
    std::reverse(operations.begin(), end_of_sends);
    communicator.unknown_queues.push_back(mqs_pending_sends);
}

}  // namespace

void correct_mpich_dll(const HostedProcess& process, bool show_internal, HostedQueues& queues) {
    const auto completions = process.view->find_symbol("MPIDI_CH3I_progress_completion_count");
    const auto count = completions
                           ? target::read_value<std::uint32_t>(*process.memory, *completions)
                           : Result<std::uint32_t>(Error{ErrorCode::MissingDebugInfo, ""});
    if (count) queues.progress_count = *count;
    if (reads_wrong_fields(*process.view)) {
        queues.problems.emplace_back(
            "MPICH's own debugger DLL cannot read the queues of this "
            "device; without --dll ours does");
        for (auto& communicator : queues.communicators) {
            communicator.operations.clear();
            communicator.unknown_queues = {
                mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages};
        }
    }
    for (auto& communicator : queues.communicators) {
        const auto described = describe(process, communicator);
        if (!described) {
            queues.problems.push_back(fmt::format(
                "communicator {}: {}", communicator.communicator.name, described.error().message));
        }
        correct(communicator);
    }
    std::erase_if(queues.communicators, [&](const HostedCommunicator& communicator) {
        return !show_internal && communicator.has_details && communicator.details.internal != 0;
    });
}

void correct_foreign_dll(const HostedProcess& process, bool show_internal, HostedQueues& queues) {
    const bool tells_details =
        std::ranges::any_of(queues.communicators, &HostedCommunicator::has_details);
    if (tells_details) return;
    if (is_open_mpi(*process.view)) {
        correct_open_mpi(process, queues);
    } else if (process.view->find_symbol("MPIR_All_communicators")) {
        correct_mpich_dll(process, show_internal, queues);
    }
}

}  // namespace mqinspect::mqs_host

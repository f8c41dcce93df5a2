#include "analysis/local/status_types.h"

#include <algorithm>

#include "analysis/pairing/outcomes.h"

namespace mqinspect::analysis {

using model::Role;

namespace {

/// Different statuses that are remembered, and datatypes of one.
constexpr std::size_t kMostStatuses = 1 << 16;
constexpr std::size_t kMostTypes = 8;
/// Places in a status.
constexpr std::size_t kSource = 0;
constexpr std::size_t kTag = 1;
constexpr std::size_t kBytes = 3;

bool asks(std::string_view procedure) {
    return procedure.starts_with("MPI_Get_count") || procedure.starts_with("MPI_Get_elements");
}

}  // namespace

StatusTypes::StatusTypes(model::ProcessId process,
                         const model::Execution& execution,
                         const TypeSignatures& signatures,
                         Reporter& reporter)
    : process_(process),
      execution_(execution),
      signatures_(signatures),
      reporter_(reporter),
      wanted_(std::ranges::any_of(execution.procedures, [](const model::Procedure& procedure) {
          return asks(procedure.name);
      })) {
    if (wanted_) kinds_ = classify_procedures(execution);
}

void StatusTypes::check(const CallView& view) {
    if (!wanted_ || full_ || !view.succeeded()) return;
    if (view.local.reads_status) {
        if (asks(view.name())) ask(view);
        return;
    }
    if (view.local.makes_request) {
        const Received received = received_by(view);
        if (received.type.value >= 0)
            pending_[view.result(Role::Request, model::kNullHandle)] = received;
    } else if (view.local.requests == RequestAction::Free) {
        pending_.erase(view.number(Role::Request, model::kNullHandle));
    } else if (kinds_[view.call.procedure.index()].action == Action::Complete) {
        note_completed(view);
    } else if (const model::Value* const status = view.out(Role::Status)) {
        Received received = received_by(view);
        received.probed = kinds_[view.call.procedure.index()].action == Action::Probe;
        note(status->list, received);
    }
}

StatusTypes::Received StatusTypes::received_by(const CallView& view) {
    using enum BufferRule;
    const BufferRule rule = view.local.buffers;
    Received received{site_of(view.call), model::DatatypeId{-1}, view.local.persistent};
    const Role role = rule == SendReceive ? Role::ReceiveDatatype : Role::Datatype;
    if (rule == SendReceive || rule == SendReceiveReplace || rule == Receive)
        received.type = model::DatatypeId{static_cast<int>(view.number(role, -1))};
    return received;
}

void StatusTypes::note(std::span<const std::int64_t> status, const Received& received) {
    if (status.size() < model::kStatusValues || status[kBytes] <= 0) return;
    std::vector<Received>& alike = received_[{status[kSource], status[kTag], status[kBytes]}];
    // What was probed is received now.
    if (received.type.value >= 0) std::erase_if(alike, [](const auto& one) { return one.probed; });
    const auto known = std::ranges::find(alike, received.type, &Received::type);
    if (known != alike.end()) {
        known->site = received.site;
    } else {
        alike.push_back(received);
    }
    full_ = received_.size() > kMostStatuses || alike.size() > kMostTypes;
}

void StatusTypes::note_completed(const CallView& view) {
    for_each_completed(*view.local.procedure,
                       kinds_[view.call.procedure.index()],
                       view.call,
                       [&](std::int64_t request, const std::int64_t* status, auto, auto) {
                           const auto found = pending_.find(request);
                           const bool known = found != pending_.end();
                           if (status != nullptr) {
                               note({status, model::kStatusValues},
                                    known ? found->second : Received{site_of(view.call)});
                           }
                           if (known && !found->second.persistent) pending_.erase(found);
                       });
}

bool StatusTypes::fits(model::DatatypeId received,
                       model::DatatypeId asked,
                       std::int64_t bytes) const {
    const auto count_of = [&](model::DatatypeId type) {
        const model::RecordedDatatype* const known = execution_.datatype(type.value);
        const std::int64_t size = known != nullptr ? known->size : 0;
        return size > 0 ? (bytes + size - 1) / size : 0;
    };
    const std::int64_t one = count_of(received);
    const std::int64_t other = count_of(asked);
    return one == 0 || other == 0 || signatures_.fit(received, one, asked, other) != Fit::Different;
}

void StatusTypes::ask(const CallView& view) {
    const model::Value* const status = view.named("status");
    const std::int64_t type = view.number(Role::Datatype, -1);
    const model::RecordedDatatype* const known = execution_.datatype(type);
    if (status == nullptr || status->list.size() < model::kStatusValues || known == nullptr) return;
    // How many bytes there are is a fair question, and MPI_CHAR an old way to ask it.
    if (known->size == 1 && !known->name.empty()) return;
    const std::span<const std::int64_t> says = status->list;
    const auto found = received_.find({says[kSource], says[kTag], says[kBytes]});
    if (found == received_.end()) return;
    const model::DatatypeId asked{static_cast<int>(type)};
    const bool fit = std::ranges::any_of(found->second, [&](const Received& one) {
        return one.type.value < 0 || fits(one.type, asked, says[kBytes]);
    });
    if (fit) return;
    const Received& last = found->second.back();
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         Severity::Warning,
                         process_,
                         {{site_of(view.call)}, {last.site, "receives the message", false}});
    if (finding == nullptr) return;
    const auto name_of = [this](model::DatatypeId one) {
        const std::string name = signatures_.describe(one, 1).substr(2);
        return name.starts_with("of ") ? "elements " + name : name;
    };
    finding->message = view.name() + " is asked for the number of " + name_of(asked) +
                       " in a message that has been received as " + name_of(last.type) + ".";
}

}  // namespace mqinspect::analysis

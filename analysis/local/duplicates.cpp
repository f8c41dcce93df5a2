#include "analysis/local/duplicates.h"

#include <cstddef>

namespace mqinspect::analysis {

using model::Role;

void Duplicates::note(const CallView& view) {
    if (!view.local.makes_handle || !view.succeeded() || !view.name().starts_with("MPI_Comm_idup"))
        return;
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        if (handle.kind != HandleKind::Communicator || handle.in) continue;
        requests_of_[view.call.after[static_cast<std::size_t>(handle.at)].number] =
            view.result(Role::Request, model::kNullHandle);
    }
}

bool Duplicates::check(const CallView& view) {
    if (requests_of_.empty()) return true;
    bool right = true;
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        if (handle.kind != HandleKind::Communicator || !handle.in) continue;
        const auto made =
            requests_of_.find(view.call.before[static_cast<std::size_t>(handle.at)].number);
        const OpenRequest* const request =
            made == requests_of_.end() ? nullptr : requests_.find(made->second);
        if (request == nullptr || !request->active || request->told) continue;
        right = false;
        Finding* const finding =
            reporter_.report(FindingClass::InvalidArgument,
                             Severity::Error,
                             process_,
                             {{site_of(view.call)}, {request->made, "not yet completed", false}});
        if (finding == nullptr) continue;
        finding->message = view.name() +
                           " is given a communicator that MPI_Comm_idup is still making: it may "
                           "be used once the request is complete.";
    }
    return right;
}

void Duplicates::settle(const CallView& view) {
    std::erase_if(requests_of_, [&](const auto& entry) {
        const auto& [communicator, request] = entry;
        if (requests_.find(request) != nullptr) return false;
        if (!view.succeeded()) handles_.unmake(HandleKind::Communicator, communicator);
        return true;
    });
}

void Duplicates::finalize() {
    for (const auto& [communicator, request] : requests_of_)
        handles_.unmake(HandleKind::Communicator, communicator);
}

}  // namespace mqinspect::analysis

// What the program did with the buffers of its sends before they had completed (requests.h).
#include "analysis/local/overlaps.h"
#include "analysis/local/requests.h"

namespace mqinspect::analysis {

bool Requests::touched(const model::RecordedEvent& event) {
    OpenRequest* const request =
        event.stack && !event.numbers.empty() ? open(event.numbers[0]) : nullptr;
    if (request == nullptr || !request->active) return false;
    if (request->kind != OpenRequest::Kind::Send || request->checksum == 0)
        return is_gone(*request, event);
    if (request->touched == nullptr) request->touched = &event;
    return true;
}

void Requests::compare_sent(OpenRequest& request, std::int64_t now, const CallSite& completion) {
    const bool known = request.checksum != 0 && now != 0;
    if (!known || request.checksum == now) return report_touch(request, completion);
    std::vector<Involved> calls{{request.started, "the send"}};
    if (request.touched != nullptr) calls.push_back(changed_by(*request.touched, completion));
    request.touched = nullptr;
    calls.push_back({completion, "its completion", false});
    Finding* const finding =
        reporter_.report(FindingClass::SendChecksum, Severity::Error, process_, calls);
    if (finding == nullptr) return;
    finding->message =
        "The program changed the buffer of a send before the send had completed: what is sent is "
        "then not certain.";
}

void Requests::report_touch(OpenRequest& request, const CallSite& next) {
    if (request.touched == nullptr) return;
    if (!is_gone(request, *request.touched)) overlaps_.changed(*request.touched, next);
    request.touched = nullptr;
}

// Reported when it is known whether a completion comes too late, or is missing.
bool Requests::is_gone(OpenRequest& request, const model::RecordedEvent& event) {
    if (!request.on_stack || !frames_.has_returned(request.made, event)) return false;
    request.gone = true;
    return true;
}

bool Requests::has_gone(const OpenRequest& request, const CallSite& later) const {
    return request.gone || (request.on_stack && frames_.has_returned(request.made, later));
}

void Requests::report_gone(OpenRequest& request, const CallSite* completion) {
    frames_.report(request.made, completion, noun(request.kind));
    request.gone = false;
}

void Requests::end(bool finalized) {
    for (OpenRequest& request : requests_) {
        if (find(request.id) != &request) continue;
        report_touch(request, request.started);
        if (request.gone && !finalized) report_gone(request, nullptr);
        if (request.idle_wait && !request.idle_wait->returned) report_never_started(request);
    }
}

}  // namespace mqinspect::analysis

// Requests that are freed before they are complete (requests.h).
//
// The operation goes on, and its buffer is not the program's until it has completed
// (MPI 4.0, 3.7.2, 3.7.3). That it has, only what another process says can tell: before anything
// could have said it, the buffer is in use for certain.

#include <utility>

#include "analysis/local/call_tells.h"
#include "analysis/local/overlaps.h"
#include "analysis/local/requests.h"

namespace mqinspect::analysis {

using model::Role;
using Kind = OpenRequest::Kind;

namespace {

/// Of operations that are under way without a request: older ones are forgotten.
constexpr std::size_t kMostFreed = 1024;

}  // namespace

void Requests::free(const CallView& view) {
    OpenRequest* const request = open(view.number(Role::Request, model::kNullHandle));
    if (request == nullptr) return;
    const CallSite site = site_of(view.call);
    if (request->is_under_way() && !request->told) {
        const bool collective = request->kind == Kind::Collective;
        const bool wrong = request->persistent || collective;
        Finding* const finding =
            request->kind == Kind::Other
                ? nullptr
                : reporter_.report(wrong ? FindingClass::WrongRequestFree
                                         : FindingClass::NonpersistentRequestFree,
                                   wrong ? Severity::Error : Severity::Warning,
                                   process_,
                                   {{site}, {request->started, "has started it", false}});
        if (finding != nullptr) {
            const std::string what{noun(request->kind)};
            finding->message =
                collective ? "MPI_Request_free frees the request of a collective operation that "
                             "has not completed, which the MPI standard forbids."
                : wrong    ? "MPI_Request_free frees a persistent " + what +
                              " that has been started and has not completed."
                        : "MPI_Request_free frees the request of a " + what +
                              " that has not completed: when its buffer may be used again, nobody "
                              "can tell.";
        }
    }
    report_never_started(*request);
    if (!view.succeeded()) return;
    const bool under_way = request->active && !request->persistent && !request->buffered;
    if (under_way) keep_freed(*request);
    close(*request, site);
}

void Requests::keep_freed(OpenRequest& request) {
    if (freed_buffers_.size() == kMostFreed) {
        overlaps_.active().remove(freed_buffers_.front());
        freed_buffers_.pop_front();
    }
    freed_buffers_.push_back(std::exchange(request.buffers, kNoSlot));
}

void Requests::learn(const CallView& view) {
    if (freed_buffers_.empty() || !may_tell_of_completion(view)) return;
    for (const ActiveSlot first : freed_buffers_)
        overlaps_.active().remove(first);
    freed_buffers_.clear();
}

}  // namespace mqinspect::analysis

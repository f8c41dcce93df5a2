#include "analysis/local/requests.h"

#include <algorithm>
#include <utility>

#include "analysis/pairing/members.h"

namespace mqinspect::analysis {

namespace {

using model::Role;
using Kind = OpenRequest::Kind;

Kind kind_of(const LocalProcedure& procedure) {
    using enum BufferRule;
    switch (procedure.buffers) {
        case Send:
        case PartitionedSend:
            return Kind::Send;
        case Receive:
        case PartitionedReceive:
            return Kind::Receive;
        case SendReceive:
        case SendReceiveReplace:
            return Kind::SendReceive;
        case FileRead:
        case FileWrite:
            return Kind::File;
        default:
            break;
    }
    if (procedure.window == WindowAction::Access) return Kind::OneSided;
    const bool collective =
        procedure.collective || procedure.procedure->name.starts_with("MPI_Comm_idup");
    return collective ? Kind::Collective : Kind::Other;
}

FindingClass unfinished(Kind kind) {
    switch (kind) {
        case Kind::Send:
            return FindingClass::UnfinishedSend;
        case Kind::Receive:
        case Kind::SendReceive:
            return FindingClass::UnfinishedReceive;
        case Kind::Collective:
            return FindingClass::UnfinishedCollective;
        default:
            return FindingClass::NonfreedRequest;
    }
}

}  // namespace

std::string_view noun(OpenRequest::Kind kind) {
    switch (kind) {
        case Kind::Send:
            return "send";
        case Kind::Receive:
            return "receive";
        case Kind::SendReceive:
            return "send and receive";
        case Kind::Collective:
            return "collective operation";
        case Kind::OneSided:
            return "one-sided operation";
        case Kind::File:
            return "file access";
        case Kind::Other:
            break;
    }
    return "operation";
}

Requests::Requests(model::ProcessId process,
                   const model::Execution& execution,
                   Overlaps& overlaps,
                   DeadFrames& frames,
                   Reporter& reporter)
    : process_(process),
      overlaps_(overlaps),
      frames_(frames),
      execution_(execution),
      reporter_(reporter),
      asks_(std::ranges::find(execution.procedures,
                              "MPI_Test_cancelled",
                              &model::Procedure::name) != execution.procedures.end()) {}

OpenRequest* Requests::open(std::int64_t id) {
    const std::uint32_t place = places_.find(id);
    return place == IdMap::kNone ? nullptr : &requests_[place];
}

const OpenRequest* Requests::find(std::int64_t id) const {
    const std::uint32_t place = places_.find(id);
    return place == IdMap::kNone ? nullptr : &requests_[place];
}

bool Requests::are_generalized(const CallView& view) const {
    bool any = false;
    for (const std::int64_t id : view.requests()) {
        const OpenRequest* const request = id < 0 ? nullptr : find(id);
        if (request == nullptr || !request->active) continue;
        const std::string& maker = execution_.procedures[request->made.procedure.index()].name;
        if (!maker.ends_with("_Grequest_start")) return false;
        any = true;
    }
    return any;
}

void Requests::make(const CallView& view, const std::vector<Access>& accesses) {
    const std::int64_t id = view.result(Role::Request, model::kNullHandle);
    // A number that is open would be one that the record uses twice.
    if (id < 0 || view.call.error_code != 0 || open(id) != nullptr) return;
    std::uint32_t place = 0;
    if (free_.empty()) {
        place = static_cast<std::uint32_t>(requests_.size());
        requests_.emplace_back();
    } else {
        place = free_.back();
        free_.pop_back();
    }
    places_.insert(id, place);
    OpenRequest& request = requests_[place];
    request.id = id;
    request.made = site_of(view.call);
    request.started = site_of(view.call);
    request.kind = kind_of(view.local);
    request.persistent = view.local.persistent;
    request.active = !request.persistent;
    request.peer = view.number(Role::Destination, view.number(Role::Source, model::kNullHandle));
    request.nowhere = view.number(Role::Destination) == model::kProcNull ||
                      view.number(Role::Source) == model::kProcNull;
    request.ever_started = false;
    request.buffered = view.local.procedure->function.mode == model::SendMode::Buffered;
    request.told = false;
    request.file = view.number(Role::File, model::kNullHandle);
    request.closed = false;
    request.on_stack = frames_.is_on_stack(view, accesses);
    request.gone = false;
    request.communicator = view.number(Role::Communicator, model::kNullHandle);
    request.checksum = request.active ? view.number(Role::SendChecksum) : 0;
    request.touched = nullptr;
    request.partitions = view.number(Role::Partitions, -1);
    request.named_by = 0;
    request.idle_wait.reset();
    request.ready.clear();
    request.buffers = kNoSlot;
    request.accesses.clear();
    if (request.persistent) {
        request.accesses = accesses;
        return;
    }
    const bool remote_memory = request.kind == Kind::OneSided;
    for (const Access& access : accesses) {
        request.buffers =
            overlaps_.active().add(access, site_of(view.call), remote_memory, request.buffers);
    }
}

void Requests::close(OpenRequest& request, const CallSite& site) {
    report_touch(request, site);
    if (request.gone) report_gone(request, &site);
    overlaps_.active().remove(request.buffers);
    request.buffers = kNoSlot;
    last_closed_ = static_cast<std::size_t>(request.id) % closed_.size();
    closed_[last_closed_] = {request.id, site};
    places_.erase(request.id);
    free_.push_back(static_cast<std::uint32_t>(&request - requests_.data()));
}

void Requests::complete(Completion& call, std::int64_t id) {
    OpenRequest* const request = open(id);
    if (request == nullptr || !request->active) return;
    const std::size_t at = call.completed++;
    const model::Value* const sums = call.checksums;
    const std::int64_t now = sums != nullptr && at < sums->list.size() ? sums->list[at] : 0;
    if (request->kind == Kind::Send) compare_sent(*request, now, call.site);
    if (has_gone(*request, call.site)) report_gone(*request, &call.site);
    if (!request->persistent) return close(*request, call.site);
    overlaps_.active().remove(request->buffers);
    request->buffers = kNoSlot;
    request->active = false;
}

void Requests::complete_all(const CallView& view) {
    Completion completion(view);
    const model::Value* const before = view.in(Role::Requests);
    const model::Value* const after = view.out(Role::Requests);
    if (before == nullptr) return;
    for (std::size_t i = 0; i < before->list.size(); ++i) {
        const std::int64_t id = before->list[i];
        if (id < 0) continue;
        // Of those that failed some may be pending still: their handles are kept.
        const bool pending = view.call.error_code != 0 && after != nullptr &&
                             i < after->list.size() && after->list[i] == id;
        if (!pending) complete(completion, id);
    }
}

void Requests::complete_some(const CallView& view) {
    Completion completion(view);
    const model::Value* const before = view.in(Role::Requests);
    if (before == nullptr) return;
    const auto one = [&](std::int64_t index) {
        if (index < 0 || static_cast<std::size_t>(index) >= before->list.size()) return;
        const std::int64_t id = before->list[static_cast<std::size_t>(index)];
        if (id >= 0) complete(completion, id);
    };
    if (const model::Value* const index = view.out(Role::Index)) return one(index->number);
    const model::Value* const indices = view.out(Role::Indices);
    const std::int64_t count = view.result(Role::OutCount);
    if (indices == nullptr) return;
    for (std::size_t i = 0; i < indices->list.size() && static_cast<std::int64_t>(i) < count; ++i)
        one(indices->list[i]);
}

void Requests::check_use(const CallView& view, std::int64_t id) {
    const bool invalid = id == model::kInvalidHandle;
    if ((id < 0 && !invalid) || places_.find(id) != IdMap::kNone) return;
    const Closed& closed =
        closed_[invalid ? last_closed_ : static_cast<std::size_t>(id) % closed_.size()];
    if (!invalid && closed.id != id) return;
    if (invalid && closed.id == model::kNullHandle) {
        Finding* const finding = reporter_.report(
            FindingClass::InvalidArgument, Severity::Error, process_, {{site_of(view.call)}});
        if (finding != nullptr) {
            finding->message =
                view.name() + " is given a request handle that this process has never had.";
        }
        return;
    }
    std::vector<Involved> calls{{site_of(view.call)}};
    if (!invalid) calls.push_back({closed.site, "ended the request", false});
    Finding* const finding =
        reporter_.report(FindingClass::UseAfterFree, Severity::Error, process_, calls);
    if (finding == nullptr) return;
    finding->message = view.name() +
                       " is given a request that exists no more: it has been completed or freed, "
                       "and this is a copy of its handle.";
}

/// Of a list: the second of two that are equal stands for nothing.
void Requests::check_named_once(const CallView& view, OpenRequest& request) {
    if (!request.active || std::exchange(request.named_by, uses_) != uses_) return;
    invalid(view, request, view.name() + " is given the same active request twice in its list.");
}

void Requests::check_wait_for_inactive(const CallView& view) {
    OpenRequest* idle = nullptr;
    const auto looks_idle = [&](std::int64_t id) {
        OpenRequest* const request = id < 0 ? nullptr : open(id);
        if (request == nullptr) return id == model::kNullHandle;
        if (!request->persistent || request->active) return false;
        if (!request->ever_started) idle = request;
        return true;
    };
    if (std::ranges::all_of(view.requests(), looks_idle) && idle != nullptr && !idle->idle_wait)
        idle->idle_wait = site_of(view.call);
}

void Requests::report_never_started(const OpenRequest& request) {
    if (request.ever_started || !request.idle_wait) return;
    const bool returned = request.idle_wait->returned;
    Finding* const finding =
        reporter_.report(FindingClass::NotStarted,
                         returned ? Severity::Warning : Severity::Error,
                         process_,
                         {{*request.idle_wait}, {request.made, "makes the request", false}});
    if (finding == nullptr) return;
    finding->message = "The program waits for a persistent " + std::string{noun(request.kind)} +
                       " that is never started";
    finding->message += returned ? ": that returns at once, and nothing has been communicated."
                                 : ", and this MPI does not return from that.";
    if (request.communicator < 0) return;
    finding->communicator = model::CommunicatorId{static_cast<int>(request.communicator)};
    finding->partner =
        Members(execution_).process_of(*finding->communicator, process_, request.peer);
}

void Requests::use(const CallView& view) {
    using enum RequestAction;
    ++uses_;
    if (const model::Value* const list = view.in(Role::Requests)) {
        for (const std::int64_t id : list->list) {
            if (OpenRequest* const request = id < 0 ? nullptr : open(id)) {
                check_named_once(view, *request);
            } else {
                check_use(view, id);
            }
        }
    } else {
        check_use(view, view.number(Role::Request, model::kNullHandle));
    }
    const bool returned = view.call.leave_event.has_value();
    const bool flag = view.result(Role::Flag) != 0;
    switch (view.local.requests) {
        case Wait:
        case Test:
            if (view.local.requests == Wait) check_wait_for_inactive(view);
            if (returned && (view.local.requests == Wait || flag)) {
                Completion completion(view);
                complete(completion, view.number(Role::Request, model::kNullHandle));
            }
            return;
        case Waitall:
        case Testall:
            if (view.local.requests == Waitall) check_wait_for_inactive(view);
            if (returned && (view.local.requests == Waitall || flag)) complete_all(view);
            return;
        case Testany:
            if (flag) complete_some(view);
            return;
        case Waitany:
        case Waitsome:
        case Testsome:
            return complete_some(view);
        case Start:
            return start(view,
                         view.number(Role::Request, model::kNullHandle),
                         view.number(Role::SendChecksum));
        case Startall: {
            const model::Value* const list = view.in(Role::Requests);
            const model::Value* const sums = view.in(Role::Checksums);
            for (std::size_t i = 0; list != nullptr && i < list->list.size(); ++i) {
                const bool has_sum = sums != nullptr && i < sums->list.size();
                start(view, list->list[i], has_sum ? sums->list[i] : 0);
            }
            return;
        }
        case Free:
            return free(view);
        case Ask:
            if (returned && flag) tell(view);
            return;
        case Cancel:
            return cancel(view);
        case Partition:
            return use_partition(view);
        case None:
            return;
    }
}

void Requests::invalid(const CallView& view, const OpenRequest& request, std::string message) {
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         Severity::Error,
                         process_,
                         {{site_of(view.call)},
                          {request.active ? request.started : request.made,
                           request.active ? "has started the request" : "makes the request",
                           false}});
    if (finding != nullptr) finding->message = std::move(message);
}

void Requests::start(const CallView& view, std::int64_t id, std::int64_t checksum) {
    OpenRequest* const request = id < 0 ? nullptr : open(id);
    if (request == nullptr) return;
    const CallSite site = site_of(view.call);
    if (!request->persistent) {
        return invalid(view,
                       *request,
                       view.name() + " starts a request that is not persistent and runs already.");
    }
    if (request->is_under_way()) {
        return invalid(view,
                       *request,
                       view.name() + " starts a persistent " + std::string{noun(request->kind)} +
                           " that has been started before and has not completed since.");
    }
    overlaps_.check_start(site, request->made, request->accesses);
    request->active = true;
    request->ready.clear();
    request->ever_started = true;
    request->told = false;
    request->started = site;
    request->checksum = checksum;
    for (const Access& access : request->accesses)
        request->buffers = overlaps_.active().add(access, site, false, request->buffers);
}

/// MPI 4.0, 3.7.6: as if it were completed, but for the request.
void Requests::tell(const CallView& view) {
    OpenRequest* const request = open(view.number(Role::Request, model::kNullHandle));
    if (request == nullptr) return;
    request->told = true;
    overlaps_.active().remove(request->buffers);
    request->buffers = kNoSlot;
}

namespace {

std::string misuse_text(const CallView& view) {
    if (!view.local.is(Role::File)) return " gives a communicator back";
    return view.name() == "MPI_File_close" ? " closes a file" : " is called for a file";
}

}  // namespace

/// MPI 4.0, 14.2.2, 14.2.4, 14.3, 14.6.1 and 11.10.4.
void Requests::check_none_pending(const CallView& view) {
    const bool is_file = view.local.is(Role::File);
    const std::int64_t given =
        view.number(is_file ? Role::File : Role::Communicator, model::kNullHandle);
    for (OpenRequest& request : requests_) {
        const bool is_its = given >= 0 && given == (is_file ? request.file : request.communicator);
        if (!is_its || !request.is_under_way() || request.told || find(request.id) != &request)
            continue;
        request.closed = view.local.frees;
        Finding* const finding =
            reporter_.report(FindingClass::PendingOperation,
                             Severity::Error,
                             process_,
                             {{site_of(view.call)}, {request.started, "is pending"}});
        if (finding == nullptr) continue;
        finding->message = view.name() + misuse_text(view) +
                           " while an operation on it is pending: a wait or a successful test for "
                           "its request has to come first.";
    }
}

void Requests::cancel(const CallView& view) {
    const OpenRequest* const request = open(view.number(Role::Request, model::kNullHandle));
    if (request == nullptr) return;
    if (!request->active) {
        return invalid(
            view, *request, "MPI_Cancel is given a persistent request that is not active.");
    }
    const bool forbidden = request->kind == Kind::Collective || request->kind == Kind::OneSided;
    Finding* const finding =
        reporter_.report(FindingClass::RequestCancel,
                         forbidden ? Severity::Error
                         : asks_   ? Severity::Note
                                   : Severity::Warning,
                         process_,
                         {{site_of(view.call)}, {request->started, "has started it", false}});
    if (finding == nullptr) return;
    finding->message = "MPI_Cancel is called for a " + std::string{noun(request->kind)} +
                       (forbidden ? ", which the MPI standard forbids."
                                  : " that may or may not have taken place already.");
}

void Requests::finalize(const CallSite& site) {
    std::vector<const OpenRequest*> left;
    for (const OpenRequest& request : requests_) {
        if (find(request.id) == &request && !request.closed) left.push_back(&request);
    }
    std::sort(left.begin(), left.end(), [](const OpenRequest* a, const OpenRequest* b) {
        return a->id < b->id;
    });
    for (const OpenRequest* const request : left) {
        report_never_started(*request);
        const bool active = request->is_under_way();
        const FindingClass finding_class =
            active ? unfinished(request->kind) : FindingClass::NonfreedRequest;
        Finding* const finding = reporter_.report(
            finding_class,
            active ? Severity::Error : Severity::Warning,
            process_,
            {{active ? request->started : request->made}, {site, "still open here", false}});
        if (finding == nullptr) continue;
        if (request->communicator >= 0)
            finding->communicator = model::CommunicatorId{static_cast<int>(request->communicator)};
        const std::string what{noun(request->kind)};
        finding->message = active ? "This " + what +
                                        " was never completed: no MPI_Wait or successful MPI_Test "
                                        "for its request before MPI_Finalize."
                                  : "The request of this persistent " + what +
                                        " was never freed with MPI_Request_free.";
        if (active && has_gone(*request, site)) {
            add_consequence(*finding,
                            "The buffer of the " + what +
                                " is a variable of a function that has returned: its memory may "
                                "be used for something else.");
        }
    }
}

}  // namespace mqinspect::analysis

#include "analysis/local/lifecycle.h"

#include <algorithm>

namespace mqinspect::analysis {

namespace {

using model::Role;

/// Of these, a request may be in one at a time (MPI 4.0, 11.6.2).
bool completes(RequestAction action) {
    return action >= RequestAction::Wait && action <= RequestAction::Testsome;
}

bool share_request(const std::vector<std::int64_t>& one, const std::vector<std::int64_t>& other) {
    return std::ranges::any_of(one, [&](std::int64_t request) {
        return request >= 0 && std::ranges::find(other, request) != other.end();
    });
}

/// The library's handle; 0: not known.
std::int64_t session_of(const CallView& view, std::span<const model::Value> values) {
    const model::Value* const session = model::value_of(*view.local.procedure, values, "session");
    return session != nullptr ? session->number : 0;
}

}  // namespace

Lifecycle::Lifecycle(const model::RecordedProcess& process, Reporter& reporter)
    : process_(process), reporter_(reporter) {
    if (process.thread_provided == "MPI_THREAD_SINGLE") level_ = Level::Single;
    if (process.thread_provided == "MPI_THREAD_FUNNELED") level_ = Level::Funneled;
    if (process.thread_provided == "MPI_THREAD_SERIALIZED") level_ = Level::Serialized;
    if (process.thread_provided == "MPI_THREAD_MULTIPLE") level_ = Level::Multiple;
}

void Lifecycle::check(const CallView& view) {
    check_phase(view);
    check_thread(view);
}

void Lifecycle::report_phase(const CallView& view, const CallSite* other, std::string message) {
    std::vector<Involved> calls{{site_of(view.call)}};
    if (other != nullptr) calls.push_back({*other, "", false});
    Finding* const finding =
        reporter_.report(FindingClass::CallOutsideMpi, Severity::Error, process_.id, calls);
    if (finding != nullptr) finding->message = view.name() + std::move(message);
}

std::optional<CallSite> Lifecycle::open_session() const {
    const bool world_open = world_begin_ && !world_end_;
    if (world_open || sessions_.empty()) return std::nullopt;
    return sessions_.front().second;
}

// Sessions begin and end as often as the program likes.
void Lifecycle::begin_session(const CallView& view) {
    sessions_.emplace_back(session_of(view, view.call.after), site_of(view.call));
    initialized_ = true;
    finalized_ = false;
}

void Lifecycle::end_session(const CallView& view) {
    if (!view.call.leave_event) return;
    const auto ended = std::ranges::find(
        sessions_, session_of(view, view.call.before), [](const auto& one) { return one.first; });
    if (!sessions_.empty()) sessions_.erase(ended != sessions_.end() ? ended : sessions_.begin());
    if (!sessions_.empty() || (world_begin_ && !world_end_)) return;
    end_ = site_of(view.call);
    finalized_ = true;
}

void Lifecycle::initialize(const CallView& view) {
    if (world_begin_ && world_end_) {
        report_phase(view, &*world_end_, " is called after MPI_Finalize: MPI cannot begin again.");
    } else if (world_begin_) {
        report_phase(view, &*world_begin_, " is called although MPI has begun already.");
    } else {
        world_begin_ = site_of(view.call);
        finalized_ = false;
    }
    initialized_ = true;
}

void Lifecycle::finalize(const CallView& view) {
    if (world_end_) {
        report_phase(view, &*world_end_, " is called a second time.");
    } else if (!initialized_ && !process_.incomplete) {
        report_phase(view, nullptr, " is called before MPI_Init.");
    }
    if (!world_end_) world_end_ = end_ = site_of(view.call);
    finalized_ = finalized_ || (view.call.leave_event && sessions_.empty());
}

void Lifecycle::check_phase(const CallView& view) {
    const bool session = view.local.session;
    switch (view.local.phase) {
        case Phase::Initialize:
            if (!main_thread_) main_thread_ = view.call.thread;
            return session ? begin_session(view) : initialize(view);
        case Phase::Finalize:
            return session ? end_session(view) : finalize(view);
        case Phase::Any:
        case Phase::Abort:
            return;
        case Phase::Communication:
            break;
    }
    // MPI_Finalize of one thread may be open while another one calls, and MPI_Finalize calls the
    // functions that delete the attributes of MPI_COMM_SELF (MPI 4.0, 11.2.4).
    if (finalized_ && end_ && is_inside(view.call, *end_)) return;
    if (finalized_) {
        report_phase(view, end_ ? &*end_ : nullptr, " is called after MPI_Finalize.");
    } else if (!initialized_ && !process_.incomplete) {
        report_phase(view, nullptr, " is called before MPI_Init.");
    }
}

void Lifecycle::report_thread(const CallView& view, const Last* other, std::string message) {
    std::vector<Involved> calls{{site_of(view.call)}};
    if (other != nullptr) calls.push_back({other->site, "at the same time"});
    Finding* const finding =
        reporter_.report(FindingClass::ThreadLevel, Severity::Error, process_.id, calls);
    if (finding != nullptr) finding->message = std::move(message);
}

void Lifecycle::note(const CallView& view, Last& last) const {
    last.thread = view.call.thread;
    last.site = site_of(view.call);
    last.leave_ns = view.call.leave_event ? view.call.leave_ns : INT64_MAX;
    last.communicator = view.local.collective && !view.local.makes_request
                            ? view.number(Role::Communicator, model::kNullHandle)
                            : model::kNullHandle;
    last.requests.clear();
    if (process_.threads_may_call() && completes(view.local.requests)) {
        const std::span<const std::int64_t> requests = view.requests();
        last.requests.assign(requests.begin(), requests.end());
    }
    last.finalizes = view.local.phase == Phase::Finalize && !view.local.session;
    last.exempt = view.local.phase == Phase::Any;
}

void Lifecycle::check_thread(const CallView& view) {
    // By far the most programs have one thread that calls MPI.
    if (threads_.size() == 1 && threads_.front().thread == view.call.thread)
        return note(view, threads_.front());
    Last now;
    note(view, now);
    const bool secondary = main_thread_ && *main_thread_ != now.thread;
    const bool funneled = level_ == Level::Single || level_ == Level::Funneled;
    if (secondary && now.finalizes) {
        report_thread(view,
                      nullptr,
                      "MPI_Finalize is called by another thread than the one that has called "
                      "MPI_Init.");
    } else if (secondary && !now.exempt && funneled && !told_) {
        // Its further calls say the same.
        told_ = true;
        report_thread(view,
                      nullptr,
                      view.name() +
                          " is called by a thread other than the one of MPI_Init, but MPI "
                          "provides " +
                          process_.thread_provided + " only.");
    }
    Last* mine = nullptr;
    for (Last& other : threads_) {
        if (other.thread == now.thread) {
            mine = &other;
        } else if (other.leave_ns > view.call.enter_ns && !other.exempt && !now.exempt) {
            check_beside(view, now, other);
        }
    }
    if (mine == nullptr) mine = &threads_.emplace_back();
    *mine = now;
}

// All threads must have done with MPI when MPI_Finalize is called (MPI 4.0, 11.6.2).
void Lifecycle::check_beside(const CallView& view, const Last& now, const Last& other) {
    const bool may_overlap = level_ == Level::Serialized || level_ == Level::Multiple;
    if (may_overlap && now.finalizes) {
        return report_thread(
            view, &other, "MPI_Finalize is called while another thread is in MPI.");
    }
    if (may_overlap && other.finalizes) {
        return report_thread(
            view, &other, view.name() + " is called while another thread is in MPI_Finalize.");
    }
    if (level_ == Level::Serialized) {
        // A thread that has left out a lock, or all of them, meets the calls of the others.
        constexpr int enough = 16;
        if (told_pairs_++ >= enough) return;
        return report_thread(view,
                             &other,
                             "Two threads call MPI at the same time, but MPI provides "
                             "MPI_THREAD_SERIALIZED only.");
    }
    if (level_ != Level::Multiple) return;
    if (now.communicator >= 0 && now.communicator == other.communicator) {
        report_thread(view,
                      &other,
                      "Two threads call collective operations on the same communicator at the same "
                      "time: their order differs from process to process.");
    } else if (share_request(now.requests, other.requests)) {
        report_thread(view, &other, "Two threads complete the same request at the same time.");
    }
}

}  // namespace mqinspect::analysis

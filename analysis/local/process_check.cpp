#include "analysis/local/process_check.h"

#include <algorithm>
#include <string_view>

#include "analysis/local/arguments.h"

namespace mqinspect::analysis {

namespace {

using model::EventKind;
using model::Role;

}  // namespace

ProcessCheck::ProcessCheck(const model::Execution& execution,
                           const std::vector<LocalProcedure>& procedures,
                           const model::RecordedProcess& process,
                           std::span<const model::RecordedEvent* const> events,
                           Footprints& footprints,
                           const TypeSignatures& signatures,
                           const Attachments& attachments,
                           const CheckOptions& options,
                           Findings& findings,
                           Reporter& reporter)
    : execution_(execution),
      procedures_(procedures),
      process_(process),
      events_(events),
      footprints_(footprints),
      signatures_(signatures),
      attachments_(attachments),
      findings_(findings),
      reporter_(reporter),
      shapes_(execution, process.id),
      handles_(process.id, execution, reporter),
      sound_(procedures),
      declared_(process.id, execution, options, signatures, reporter),
      declared_lists_(process.id, execution, options, reporter),
      fortran_kinds_(process.id, options, reporter),
      heap_blocks_(process.id, execution, signatures, reporter),
      frames_(process.id, execution, options, reporter),
      overlaps_(process.id, footprints, reporter),
      requests_(process.id, execution, overlaps_, frames_, reporter),
      duplicates_(process.id, requests_, handles_, reporter),
      epochs_(process.id, execution, overlaps_, reporter),
      info_promises_(process.id, execution, reporter),
      origins_(process.id, execution, reporter),
      refusals_(process, execution, reporter),
      split_collectives_(process.id, overlaps_, reporter),
      file_elements_(process.id, execution, signatures, reporter),
      probe_races_(process, reporter),
      status_types_(process.id, execution, signatures, reporter),
      lifecycle_(process, reporter) {
    for (const model::RecordedEvent* const event : events_)
        if (event->kind == EventKind::MpiError) errors_[{event->thread, event->event}] = event;
    ending_.process = process.id;
}

Ending ProcessCheck::run(model::CallStream& calls) {
    model::RecordedCall call;
    while (calls.next(call)) {
        if (call.procedure.value < 0 || call.procedure.index() >= procedures_.size()) continue;
        const CallView view{call, procedures_[call.procedure.index()]};
        if (!is_of_file_library(view)) check(view);
    }
    // Without MPI_Init, what sessions leave is lost with the last of them (MPI 4.0, 11.3.1).
    if (!finalize_ && lifecycle_.finalized()) finalize_ = lifecycle_.end();
    requests_.end(finalize_.has_value());
    // MPI_Finalize lets the program give back what belongs to attributes of MPI_COMM_SELF, and
    // info objects may be freed later.
    if (finalize_) {
        requests_.finalize(*finalize_);
        epochs_.finalize(*finalize_);
        duplicates_.finalize();
        handles_.finalize();
    }
    ending_.initialized = lifecycle_.initialized();
    ending_.finalized = lifecycle_.finalized();
    ending_.session = lifecycle_.open_session();
    return std::move(ending_);
}

/// MPI libraries write files with calls of MPI's, and keep some of what these make.
bool ProcessCheck::is_of_file_library(const CallView& view) {
    if (!file_calls_.empty()) {
        const auto last = file_calls_.find(view.call.thread);
        if (last != file_calls_.end() && is_inside(view.call, last->second)) return true;
    }
    if (view.local.is(Role::File)) file_calls_[view.call.thread] = site_of(view.call);
    return false;
}

void ProcessCheck::check(const CallView& view) {
    if (next_event_ < events_.size() || !meanwhile_.empty()) apply_events(view);
    // From here on everything is about this call.
    reporter_.forget_last();
    lifecycle_.check(view);
    remember(view);
    const model::RecordedEvent* const error = errors_.empty() ? nullptr : error_of(view);
    const bool refused = view.call.error_code != 0 || error != nullptr;
    const bool blind = view.local.reads_status && !refusals_.check_status(view);
    if (view.local.phase == Phase::Any && view.local.handles.empty())
        return check_plain(view, error, refused, blind);

    const std::uint64_t generation = handles_.generation();
    bool known = sound_.knows(view, generation);
    const CommunicatorShape& shape =
        shapes_.of(view.number(Role::Communicator, model::kNullHandle));
    accesses_.clear();
    if (view.local.buffers != BufferRule::None &&
        !(known && sound_.collect_accesses(view, accesses_)))
        collect_accesses(view, shape, execution_, footprints_, accesses_);
    known = known && std::ranges::none_of(accesses_, is_in_first_page);
    const bool early = !duplicates_.check(view);
    const bool freed = early || (!known && handles_.check_use(view));
    const std::optional<Severity> wrong = blind            ? std::optional{Severity::Error}
                                          : known || freed ? std::nullopt
                                                           : check_arguments_of(view, shape);
    const bool invalid = wrong == Severity::Error;
    if (!known && !freed && !wrong) sound_.keep(view, generation, accesses_);

    // What is wrong already is not looked at for what would follow from it.
    if (!known && !freed && !invalid) {
        declared_.check(view, accesses_);
        declared_lists_.check(view);
    }
    if (!known && !freed) fortran_kinds_.check(view);
    const bool there = heap_blocks_.check(view, accesses_);
    check_buffers(view, !freed && !invalid && there);
    if (!wrong) frames_.follow(view);
    const bool generalized = refused && requests_.are_generalized(view);
    use_requests(view);
    if (view.local.window != WindowAction::None && (view.call.leave_event || refused) && !freed &&
        !invalid) {
        if (refused) accesses_.clear();
        epochs_.on_call(view, accesses_);
    }
    check_with_earlier_calls(view, freed || invalid);
    if (view.local.relates) origins_.check(view, shape.rank);
    if (view.local.refusable) refusals_.check(view, error_class_of(view, error));
    if (refused) report_error(view, error, generalized);
    note_outcome(view);
}

void ProcessCheck::use_requests(const CallView& view) {
    if (view.local.makes_request) {
        requests_.make(view, accesses_);
        duplicates_.note(view);
    }
    if (view.local.requests != RequestAction::None) {
        const bool waits = view.local.requests == RequestAction::Wait ||
                           view.local.requests == RequestAction::Waitall;
        if (waits && !view.call.leave_event && !process_.threads_may_call())
            requests_.check_unready(view);
        requests_.use(view);
        duplicates_.settle(view);
    }
    requests_.learn(view);
}

/// A call that is allowed at any time, and given nothing that MPI has made.
void ProcessCheck::check_plain(const CallView& view,
                               const model::RecordedEvent* error,
                               bool refused,
                               bool wrong) {
    if (view.local.refusable) refusals_.check(view, {});
    if (view.succeeded()) declared_lists_.check(view);
    // Those of the tool information interface answer by their error codes.
    if (refused && !view.name().starts_with("MPI_T_")) report_error(view, error, false);
    if (refused || wrong) note_outcome(view);
}

/// Against each other's, those of pending operations, and those of calls that other threads are in.
void ProcessCheck::check_buffers(const CallView& view, bool right) {
    overlaps_.close_before(view);
    if (!right || accesses_.empty()) return;
    overlaps_.check_datatypes(view, accesses_);
    if (view.local.persistent) return;
    overlaps_.check(view, accesses_);
    const bool waits = !view.local.makes_request && view.local.window == WindowAction::None &&
                       view.in(Role::Window) == nullptr;
    if (waits && (process_.threads_may_call() || !meanwhile_.empty()))
        overlaps_.open(view, accesses_);
}

void ProcessCheck::note_outcome(const CallView& view) {
    if (view.call.leave_event) {
        note_return(view.call.stack);
    } else if (view.local.phase != Phase::Abort) {
        ending_.open.back().cause = reporter_.last();
    }
    if (reporter_.last() && lifecycle_.finalized()) note_late(view);
    handles_.update(view);
    if (view.local.phase == Phase::Finalize && !finalize_ && !view.local.session)
        finalize_ = site_of(view.call);
}

void ProcessCheck::note_return(model::StackId stack) {
    if (stack.value < 0) return;
    if (stack.index() >= returned_from_.size()) returned_from_.resize(stack.index() + 1);
    returned_from_[stack.index()] = true;
}

bool ProcessCheck::has_returned_from(model::StackId stack) const {
    return stack.value >= 0 && stack.index() < returned_from_.size() &&
           returned_from_[stack.index()];
}

// What was freed too late was leaked, but that is the same mistake.
void ProcessCheck::note_late(const CallView& view) {
    const std::string_view noun = handles_.freed_late(view);
    if (noun.empty()) return;
    add_consequence(findings_.findings[*reporter_.last()],
                    "The " + std::string{noun} + " is not freed before MPI_Finalize.");
}

void ProcessCheck::check_with_earlier_calls(const CallView& view, bool wrong) {
    if (!reductions_.empty() || view.local.is(Role::Operator)) check_operator_function(view);
    if (!wrong) info_promises_.check(view);
    if (!wrong) status_types_.check(view);
    probe_races_.check(view);
    if (view.local.is(Role::File)) {
        split_collectives_.check(view, accesses_);
        if (!wrong) file_elements_.check(view);
    }
    if (view.local.takes_none_pending) requests_.check_none_pending(view);
}

// "No MPI communication function may be called inside the user function" (MPI 4.0, 6.9.5).
void ProcessCheck::check_operator_function(const CallView& view) {
    const auto outer = reductions_.find(view.call.thread);
    const bool inside = outer != reductions_.end() && is_inside(view.call, outer->second);
    const model::CallClass kind = view.local.procedure->function.call_class;
    if (inside &&
        (model::is_collective(kind) || kind == model::CallClass::Probe ||
         view.local.requests != RequestAction::None || view.in(Role::Destination) != nullptr ||
         view.in(Role::Source) != nullptr || view.local.window == WindowAction::Access)) {
        Finding* const finding = reporter_.report(
            FindingClass::InvalidArgument,
            Severity::Error,
            process_.id,
            {{site_of(view.call)}, {outer->second, "reduces with the operator", false}});
        if (finding == nullptr) return;
        finding->message = execution_.procedures[outer->second.procedure.index()].name +
                           " is given an operator whose function calls " + view.name() +
                           ": reduction functions must not communicate.";
        return;
    }
    const auto op = static_cast<std::size_t>(view.number(Role::Operator, model::kNullHandle));
    if (!inside && op < execution_.operators.size() && execution_.operators[op].name.empty())
        reductions_[view.call.thread] = site_of(view.call);
}

void ProcessCheck::apply_events(const CallView& view) {
    for (const model::RecordedEvent* const event : meanwhile_)
        overlaps_.changed(*event, site_of(view.call));
    meanwhile_.clear();
    const std::int64_t until = view.call.leave_event ? view.call.leave_ns : view.call.enter_ns;
    for (; next_event_ < events_.size() && events_[next_event_]->time_ns <= until; ++next_event_) {
        const model::RecordedEvent& event = *events_[next_event_];
        if (event.kind == EventKind::Overwritten) apply_change(event, site_of(view.call));
        if (event.kind == EventKind::MemoryFreed) check_freed(event, site_of(view.call));
        if (event.kind == EventKind::HeapBlock) heap_blocks_.note(event);
        if (event.kind == EventKind::UserData) check_user_data(view, event);
    }
}

// What is no buffer of an earlier call is one of this call, while it waits, if of any.
void ProcessCheck::apply_change(const model::RecordedEvent& event, const CallSite& next) {
    const bool argument = event.numbers.size() > 3 && event.numbers[3] != 0;
    if (!argument) {
        if (!requests_.touched(event) && !overlaps_.changed(event, next))
            meanwhile_.push_back(&event);
        return;
    }
    const OpenRequest* const request = requests_.find(event.numbers[0]);
    if (request != nullptr)
        overlaps_.changed_argument(event, next, request->made, request->persistent);
}

void ProcessCheck::check_freed(const model::RecordedEvent& event, const CallSite& next) {
    if (event.numbers.size() < 2 || finalize_) return;
    overlaps_.freed(event, next);
    const std::int64_t low = event.numbers[0];
    const std::int64_t bytes = event.numbers[1];
    std::string_view what = "the memory of a window that exists: MPI_Win_free";
    const CallSite* given = handles_.window_at(low, bytes);
    if (given == nullptr) {
        what = "memory that is attached to a window: MPI_Win_detach or MPI_Win_free";
        given = attachments_.attached_at(process_.id, {low, low + bytes}, event.time_ns);
    }
    if (given == nullptr) {
        what = "the buffer that MPI has for buffered sends: MPI_Buffer_detach";
        given = refusals_.attached_in(low, bytes);
    }
    // What is freed there later is somebody else's.
    if (given == nullptr || !freed_.emplace(given->thread, given->event).second) return;
    Finding* const finding =
        reporter_.report(FindingClass::UseAfterFree,
                         Severity::Error,
                         process_.id,
                         {changed_by(event, next, "frees it"), {*given, "gives it to MPI"}});
    if (finding == nullptr) return;
    finding->message = "The program frees " + std::string{what} + " has to come first.";
    finding->reaches = Memory{process_.id, low, low + bytes};
}

/// Watched data are looked at when MPI is called: what the program itself notes has another stack
/// than the call.
void ProcessCheck::check_user_data(const CallView& view, const model::RecordedEvent& event) {
    if (event.numbers.size() < 3) return;
    const auto [entry, added] = user_data_.try_emplace(event.numbers[0], event.numbers[2]);
    const bool changed = !added && entry->second != event.numbers[2];
    entry->second = event.numbers[2];
    if (!changed || !event.stack || *event.stack != view.call.stack) return;
    Finding* const finding = reporter_.report(FindingClass::UserDataChanged,
                                              Severity::Warning,
                                              process_.id,
                                              {{site_of(view.call), "noticed here"}});
    if (finding == nullptr) return;
    finding->message = "The watched data '" + event.text + "' (" +
                       std::to_string(event.numbers[1]) +
                       " bytes) have changed since MPI was called before.";
}

std::optional<Severity> ProcessCheck::check_arguments_of(const CallView& view,
                                                         const CommunicatorShape& shape) {
    const InvalidArgument invalid =
        check_arguments(view, shape, execution_, footprints_, signatures_, handles_, accesses_);
    if (invalid.message.empty()) return std::nullopt;
    std::vector<Involved> calls{{site_of(view.call)}};
    if (invalid.made != nullptr) calls.push_back({*invalid.made, invalid.part, false});
    Finding* const finding =
        reporter_.report(invalid.finding_class, invalid.severity, process_.id, calls);
    if (finding == nullptr) return invalid.severity;
    finding->message = invalid.message;
    finding->reaches = invalid.reaches;
    const std::int64_t communicator = view.number(Role::Communicator, model::kNullHandle);
    if (communicator >= 0)
        finding->communicator = model::CommunicatorId{static_cast<int>(communicator)};
    return invalid.severity;
}

OpenCall ProcessCheck::open_call(const CallView& view) const {
    OpenCall open;
    open.site = site_of(view.call);
    open.at_once = view.local.procedure->function.call_class == model::CallClass::Local &&
                   !view.local.is(Role::Flag) && !has_returned_from(view.call.stack);
    open.asks = view.local.is(Role::Flag);
    open.send = view.local.buffers == BufferRule::Send;
    open.receive = view.local.buffers == BufferRule::Receive ||
                   view.local.buffers == BufferRule::SendReceive ||
                   view.local.buffers == BufferRule::SendReceiveReplace;
    for (const std::int64_t id : view.requests()) {
        const OpenRequest* const request = id < 0 ? nullptr : requests_.find(id);
        if (request != nullptr && request->active && open.waits_for.size() < 8)
            open.waits_for.push_back(request->started);
    }
    return open;
}

void ProcessCheck::remember(const CallView& view) {
    ending_.last = site_of(view.call);
    ending_.progress.note(view);
    if (view.local.phase == Phase::Abort) {
        ending_.abort = ending_.last;
    } else if (!view.call.leave_event) {
        ending_.open.push_back(open_call(view));
    }
}

}  // namespace mqinspect::analysis

#include "trace_io/survey.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <set>

namespace mqinspect::trace_io {
namespace {

using model::EventKind;
using model::RecordedEvent;
using model::Termination;

// Signals that a process gets for what it does itself. Another that sends it one of them has
// ended it, and so have those that send SIGTERM.
bool is_of_its_own_making(const RecordedEvent& signal) {
    const std::int64_t number = signal.numbers[0];
    const std::int64_t si_code = signal.numbers[1];
    switch (number) {
        case SIGSEGV:
        case SIGBUS:
        case SIGFPE:
        case SIGILL:
        case SIGSYS:
        case SIGTRAP:
            return si_code != SI_USER;
        case SIGABRT:
            return true;
        default:
            return false;
    }
}

const RecordedEvent* last_of(const std::vector<RecordedEvent>& events, EventKind kind) {
    const auto found =
        std::ranges::find(events.rbegin(), events.rend(), kind, &RecordedEvent::kind);
    return found == events.rend() ? nullptr : &*found;
}

Termination termination_of(const std::vector<RecordedEvent>& events,
                           const std::set<int>& stopped_by_signal,
                           bool finalized) {
    Termination termination;
    termination.recorded = last_of(events, EventKind::Limit) == nullptr;
    if (finalized) termination.kind = Termination::Kind::Finalized;
    if (const RecordedEvent* exit = last_of(events, EventKind::Exit)) {
        if (!finalized) termination.kind = Termination::Kind::Exited;
        termination.code = exit->numbers[0];
        termination.stack = exit->stack;
    }
    if (const RecordedEvent* abort = last_of(events, EventKind::Abort)) {
        termination.kind = Termination::Kind::Aborted;
        termination.code = abort->numbers[0];
        termination.stack.reset();
        return termination;
    }
    const RecordedEvent* signal = last_of(events, EventKind::Signal);
    if (signal == nullptr) return termination;
    // A handler of the program's own may have gone on.
    if (!stopped_by_signal.contains(signal->thread)) return termination;
    // Of what somebody does to a process that has done with MPI the program is not to blame.
    if (finalized && !is_of_its_own_making(*signal)) return termination;
    termination.kind =
        is_of_its_own_making(*signal) ? Termination::Kind::Crashed : Termination::Kind::Killed;
    termination.code = signal->numbers[0];
    termination.address = static_cast<std::uint64_t>(signal->numbers[2]);
    termination.stack = signal->stack;
    return termination;
}

// MPI_Init to MPI_Finalize, or sessions instead of them.
enum class Phase { None, Init, Finalize, SessionInit, SessionFinalize };

Phase phase_of(const model::Procedure& procedure) {
    if (procedure.function.call_class == model::CallClass::Finalize) return Phase::Finalize;
    if (procedure.name == "MPI_Init" || procedure.name == "MPI_Init_thread") return Phase::Init;
    if (procedure.name == "MPI_Session_init") return Phase::SessionInit;
    if (procedure.name == "MPI_Session_finalize") return Phase::SessionFinalize;
    return Phase::None;
}

// Takes part in the communication, rather than ask for a time, a rank or a size.
bool communicates(const model::Procedure& procedure) {
    using enum model::ParameterKind;
    return procedure.function.call_class != model::CallClass::Local ||
           std::ranges::any_of(procedure.parameters, [](const model::Parameter& parameter) {
               return parameter.kind == Request || parameter.kind == RequestList ||
                      parameter.kind == Message || parameter.kind == Window;
           });
}

// How often each has been called.
class Phases {
public:
    explicit Phases(const std::vector<model::Procedure>& procedures) {
        of_procedures_.reserve(procedures.size());
        for (const model::Procedure& procedure : procedures) {
            of_procedures_.push_back(phase_of(procedure));
            communicate_.push_back(communicates(procedure));
        }
    }

    void add(model::ProcedureId procedure) {
        ++counts_[static_cast<std::size_t>(of_procedures_[procedure.index()])];
    }
    bool is_communication(model::ProcedureId procedure) const {
        return communicate_[procedure.index()];
    }
    bool finalized() const {
        if (count(Phase::Finalize) > 0) return true;
        return count(Phase::Init) == 0 && count(Phase::SessionInit) > 0 &&
               count(Phase::SessionInit) <= count(Phase::SessionFinalize);
    }

private:
    std::uint64_t count(Phase phase) const { return counts_[static_cast<std::size_t>(phase)]; }

    std::vector<Phase> of_procedures_;
    std::vector<bool> communicate_;
    std::array<std::uint64_t, 5> counts_{};
};

}  // namespace

Survey survey(const ProcessSource& source, const std::vector<model::Procedure>& procedures) {
    Survey result;
    if (source.files == nullptr) return result;
    Phases phases(procedures);
    std::set<int> stopped_by_signal;
    int communicating = 0;
    for (std::size_t thread = 0; thread < source.files->threads.size(); ++thread) {
        EventList events(result.events);
        ThreadReader reader(source, thread, &events, Wanted::Nothing);
        model::ProcedureId returned;
        bool communicated = false;
        while (reader.next_return(returned)) {
            phases.add(returned);
            communicated = communicated || phases.is_communication(returned);
        }
        communicating += communicated ? 1 : 0;
        if (reader.ends_with_signal())
            stopped_by_signal.insert(static_cast<int>(source.files->threads[thread].thread));
        result.changes_left_out = result.changes_left_out || events.left_out();
        if (!reader.problem().empty()) result.problems.push_back(reader.problem());
    }
    result.threads_communicate = communicating > 1;
    std::ranges::stable_sort(result.events, {}, &RecordedEvent::time_ns);
    result.termination = termination_of(result.events, stopped_by_signal, phases.finalized());
    return result;
}

}  // namespace mqinspect::trace_io

#include "tracer/control/errors.h"

#include <atomic>

#include "tracer/constants.h"
#include "tracer/control/explain.h"
#include "tracer/event.h"
#include "tracer/export.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/stack/stacks.h"
#include "tracer/values.h"

namespace mqinspect::tracer {

namespace {

/// Instead of MPI_ERRORS_ARE_FATAL.
struct Handlers {
    MPI_Errhandler by_default = MPI_ERRHANDLER_NULL;
    MPI_Errhandler by_program = MPI_ERRHANDLER_NULL;  ///< which has set it

    bool is_one(MPI_Errhandler handler) const {
        return handler != MPI_ERRHANDLER_NULL && (handler == by_default || handler == by_program);
    }
};
Handlers ours;
Handlers ours_of_windows;

/// Of MPI_COMM_WORLD.
enum class WorldHandler { Fatal, Returns, Programs };
std::atomic<WorldHandler> world_handler{WorldHandler::Fatal};

/// What the MPI library says of a code.
struct ErrorText {
    int error_class = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = {};

    explicit ErrorText(int code) {
        int length = 0;
        pmpi.Error_class(code, &error_class);
        pmpi.Error_string(code, text, &length);
    }
};

/// Once for each code.
void define_code(int code, const ErrorText& text) {
    static HandleMap known;
    static char mark = 0;
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(code));
    if (known.find(key) != nullptr) return;
    const char* name = error_class_name(text.error_class);
    known.put(key, &mark);
    Definition(recorder.definitions(), model::DefinitionKind::ErrorCode)
        .number(code)
        .text(name)
        .text(text.text);
}

void record_error(int code, const ErrorText& text) {
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.busy()) return;
    define_code(code, text);
    EventPayload payload;
    payload.number(code).number(text.error_class).text(text.text);
    thread->log.event(model::EventKind::MpiError, payload.data(), payload.size());
}

/// Which kind of parameter an error class is about; Other: none.
model::ParameterKind kind_of(int error_class) {
    using model::ParameterKind;
    switch (error_class) {
        case MPI_ERR_RANK:
        case MPI_ERR_ROOT:
            return ParameterKind::Rank;
        case MPI_ERR_TAG:
            return ParameterKind::Tag;
        case MPI_ERR_COUNT:
            return ParameterKind::Count;
        case MPI_ERR_COMM:
            return ParameterKind::Communicator;
        case MPI_ERR_TYPE:
            return ParameterKind::Datatype;
        case MPI_ERR_BUFFER:
            return ParameterKind::Buffer;
        case MPI_ERR_OP:
            return ParameterKind::Operator;
        case MPI_ERR_REQUEST:
            return ParameterKind::Request;
        case MPI_ERR_WIN:
            return ParameterKind::Window;
        case MPI_ERR_FILE:
            return ParameterKind::File;
        default:
            return ParameterKind::Other;
    }
}

/// The last argument of the call that the error class may mean, as it was recorded.
const Parameter* find_argument(const Site& site, int error_class, std::int64_t& value) {
    const model::ParameterKind kind = kind_of(error_class);
    const Parameter* found = nullptr;
    std::size_t at = 0;
    for (std::size_t i = 0; i < site.procedure->parameter_count; ++i) {
        const Parameter& parameter = site.procedure->parameters[i];
        if (parameter.direction == model::Direction::Out) continue;
        if (parameter.kind == kind && kind != model::ParameterKind::Other) {
            found = &parameter;
            value = site.before_enter[at];
        }
        ++at;
    }
    return found;
}

/// In the words of the source: which call, which argument, where.
void explain(const ErrorText& text) {
    const Site* site = innermost_site();
    if (site == nullptr) return;
    std::int64_t value = 0;
    const Parameter* argument = find_argument(*site, text.error_class, value);
    std::uint64_t addresses[kMostFrames + 1] = {site->return_address};
    for (std::size_t i = 0; i < site->frame_count; ++i)
        addresses[i + 1] = site->frames[i].address;
    explain_error(
        site->procedure->name, argument, value, text.text, addresses, site->frame_count + 1);
}

void tell(int code) {
    const ErrorText text(code);
    record_error(code, text);
    explain(text);
    recorder.define_clock();
}

/// Where a handler is to act, and on which code: MPI_ERRORS_ARE_FATAL, of MPI_COMM_WORLD the
/// program's.
struct FatalError {
    enum class Where { Communicator, Window, World } where;
    MPI_Comm communicator;
    MPI_Win window;
    int code;
};

thread_local constinit FatalError fatal_error [[gnu::tls_model("initial-exec")]] = {};

void end_by(const FatalError& error) {
    using enum FatalError::Where;
    switch (error.where) {
        case Window:
            pmpi.Win_set_errhandler(error.window, MPI_ERRORS_ARE_FATAL);
            pmpi.Win_call_errhandler(error.window, error.code);
            break;
        case Communicator:
            pmpi.Comm_set_errhandler(error.communicator, MPI_ERRORS_ARE_FATAL);
            pmpi.Comm_call_errhandler(error.communicator, error.code);
            break;
        case World:
            pmpi.Comm_call_errhandler(MPI_COMM_WORLD, error.code);
            break;
    }
}

/// A call that is not recorded has nobody behind it who could act later.
void act(const FatalError& error) {
    if (error.where != FatalError::Where::World) tell(error.code);
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.innermost() == nullptr) return end_by(error);
    fatal_error = error;
    thread->fatal_error = true;
}

/// Of an object that the program has given no handler. For MPICH such a one has that of
/// MPI_COMM_WORLD, also if that was set later.
void act_by_default(const FatalError& error) {
#if defined(MPICH_VERSION)
    const WorldHandler instead = world_handler.load(std::memory_order_relaxed);
    if (instead == WorldHandler::Returns) return;
    if (instead == WorldHandler::Programs)
        return act({FatalError::Where::World, MPI_COMM_WORLD, {}, error.code});
#endif
    act(error);
}

FatalError on(MPI_Comm communicator, int code) {
    return {FatalError::Where::Communicator, communicator, {}, code};
}

FatalError on_window(MPI_Win window, int code) {
    return {FatalError::Where::Window, {}, window, code};
}

// Instead of MPI_ERRORS_ARE_FATAL.
void act_on_communicator(MPI_Comm* communicator, int* code, ...) {
    act_by_default(on(*communicator, *code));
}

void act_on_communicator_as_set(MPI_Comm* communicator, int* code, ...) {
    act(on(*communicator, *code));
}

void act_on_window(MPI_Win* window, int* code, ...) {
    act_by_default(on_window(*window, *code));
}

void act_on_window_as_set(MPI_Win* window, int* code, ...) {
    act(on_window(*window, *code));
}

void watch(MPI_Comm communicator) {
    MPI_Errhandler theirs = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(communicator, &theirs);
    if (theirs == MPI_ERRORS_ARE_FATAL) pmpi.Comm_set_errhandler(communicator, ours.by_default);
    if (theirs != MPI_ERRHANDLER_NULL) pmpi.Errhandler_free(&theirs);
}

void unwatch(MPI_Comm communicator) {
    MPI_Errhandler theirs = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(communicator, &theirs);
    if (ours.is_one(theirs)) pmpi.Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
    if (theirs != MPI_ERRHANDLER_NULL) pmpi.Errhandler_free(&theirs);
}

}  // namespace

void watch_errors() {
    if (pmpi.Comm_create_errhandler(act_on_communicator, &ours.by_default) != MPI_SUCCESS) return;
    pmpi.Comm_create_errhandler(act_on_communicator_as_set, &ours.by_program);
    pmpi.Win_create_errhandler(act_on_window, &ours_of_windows.by_default);
    pmpi.Win_create_errhandler(act_on_window_as_set, &ours_of_windows.by_program);
    watch(MPI_COMM_WORLD);
    watch(MPI_COMM_SELF);
}

void watch_errors_of(MPI_Win window) {
    if (ours_of_windows.by_default == MPI_ERRHANDLER_NULL) return;
    MPI_Errhandler theirs = MPI_ERRHANDLER_NULL;
    pmpi.Win_get_errhandler(window, &theirs);
    if (theirs == MPI_ERRORS_ARE_FATAL) pmpi.Win_set_errhandler(window, ours_of_windows.by_default);
    if (theirs != MPI_ERRHANDLER_NULL) pmpi.Errhandler_free(&theirs);
}

void unwatch_errors() {
    if (ours.by_default == MPI_ERRHANDLER_NULL) return;
    unwatch(MPI_COMM_WORLD);
    unwatch(MPI_COMM_SELF);
}

void end_by_error() {
    this_thread->fatal_error = false;
    end_by(fatal_error);
}

void error_returned(Site& site, int code) {
    constexpr int most = 16;  // explanations take some time
    static std::atomic<int> explained{0};
    static std::atomic_flag busy;
    const ErrorText text(code);
    record_error(code, text);
    const model::ParameterKind kind = kind_of(text.error_class);
    const bool argument = kind != model::ParameterKind::Other && kind != model::ParameterKind::File;
    if (!argument || site.error_explained) return;
    site.error_explained = true;
    if (busy.test_and_set()) return;
    if (explained++ < most) explain(text);
    busy.clear();
}

}  // namespace mqinspect::tracer

namespace {

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

MPI_Errhandler to_ours(MPI_Errhandler theirs, MPI_Errhandler instead) {
    return theirs == MPI_ERRORS_ARE_FATAL && instead != MPI_ERRHANDLER_NULL ? instead : theirs;
}

/// The program knows nothing of our handlers.
void to_theirs(MPI_Errhandler* given) {
    if (!ours.is_one(*given) && !ours_of_windows.is_one(*given)) return;
    pmpi.Errhandler_free(given);
    *given = MPI_ERRORS_ARE_FATAL;
}

/// `instead`: ours, for MPI_ERRORS_ARE_FATAL.
template <class Set, class Handle>
int set_handler(Call& call,
                Set set,
                Handle handle,
                std::int64_t id,
                MPI_Errhandler errhandler,
                MPI_Errhandler instead) {
    const std::int64_t before[] = {id, values::other(errhandler)};
    call.enter(before);
    const int code = set(handle, to_ours(errhandler, instead));
    call.returned();
    const std::int64_t after[] = {code};
    call.leave(after);
    // NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape): not looked at after leave()
    return code;
}

/// Of MPI_Comm_set_errhandler and its older name.
int set_of_communicator(Call& call, bool recorded, MPI_Comm comm, MPI_Errhandler errhandler) {
    const int code = recorded ? set_handler(call,
                                            pmpi.Comm_set_errhandler,
                                            comm,
                                            communicator_id(comm),
                                            errhandler,
                                            ours.by_program)
                              : pmpi.Comm_set_errhandler(comm, errhandler);
    if (code != MPI_SUCCESS || comm != MPI_COMM_WORLD) return code;
    world_handler.store(errhandler == MPI_ERRORS_ARE_FATAL ? WorldHandler::Fatal
                        : errhandler == MPI_ERRORS_RETURN  ? WorldHandler::Returns
                                                           : WorldHandler::Programs,
                        std::memory_order_relaxed);
    return code;
}

template <class Get, class Handle>
int get_handler(Call& call, Get get, Handle handle, std::int64_t id, MPI_Errhandler* errhandler) {
    const std::int64_t before[] = {id};
    call.enter(before);
    const int code = get(handle, errhandler);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    if (valid) to_theirs(errhandler);
    const std::int64_t after[] = {code, values::other_given(valid, errhandler)};
    call.leave(after);
    // NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape): not looked at after leave()
    return code;
}

/// What is not recorded must not see our handlers either.
template <class Get, class Handle>
int get_unrecorded(Get get, Handle handle, MPI_Errhandler* errhandler) {
    const int code = get(handle, errhandler);
    if (code == MPI_SUCCESS) to_theirs(errhandler);
    return code;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the standard's names
MQT_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
    Call call;
    const bool recorded = call.open(procedures::kMPI_Comm_set_errhandler, MQT_CALLER);
    return set_of_communicator(call, recorded, comm, errhandler);
}

MQT_EXPORT int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Comm_get_errhandler, MQT_CALLER))
        return get_unrecorded(pmpi.Comm_get_errhandler, comm, errhandler);
    return get_handler(call, pmpi.Comm_get_errhandler, comm, communicator_id(comm), errhandler);
}

MQT_EXPORT int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Win_set_errhandler, MQT_CALLER))
        return pmpi.Win_set_errhandler(win, errhandler);
    return set_handler(
        call, pmpi.Win_set_errhandler, win, window_id(win), errhandler, ours_of_windows.by_program);
}

MQT_EXPORT int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Win_get_errhandler, MQT_CALLER))
        return get_unrecorded(pmpi.Win_get_errhandler, win, errhandler);
    return get_handler(call, pmpi.Win_get_errhandler, win, window_id(win), errhandler);
}

// Open MPI's header takes the names that MPI-3 has removed for errors.
#if !defined(OPEN_MPI)
MQT_EXPORT int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
    Call call;
    const bool recorded = call.open(procedures::kMPI_Errhandler_set, MQT_CALLER);
    return set_of_communicator(call, recorded, comm, errhandler);
}

MQT_EXPORT int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Errhandler_get, MQT_CALLER))
        return get_unrecorded(pmpi.Comm_get_errhandler, comm, errhandler);
    return get_handler(call, pmpi.Comm_get_errhandler, comm, communicator_id(comm), errhandler);
}
#endif
// NOLINTEND(readability-identifier-naming)

#include "tracer/control/errors.h"

#include "tracer/event.h"
#include "tracer/export.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/values.h"

namespace mqinspect::tracer {

namespace {

MPI_Errhandler ours = MPI_ERRHANDLER_NULL;

void record_error(int code) {
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.busy()) return;
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    int length = 0;
    int error_class = 0;
    pmpi.Error_class(code, &error_class);
    pmpi.Error_string(code, text, &length);
    EventPayload payload;
    payload.number(code).number(error_class).text(text);
    thread->log.event(model::EventKind::MpiError, payload.data(), payload.size());
}

/// Instead of MPI_ERRORS_ARE_FATAL.
void fatal_error(MPI_Comm* communicator, int* code, ...) {
    record_error(*code);
    pmpi.Comm_set_errhandler(*communicator, MPI_ERRORS_ARE_FATAL);
    pmpi.Comm_call_errhandler(*communicator, *code);
}

void watch(MPI_Comm communicator) {
    MPI_Errhandler theirs = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(communicator, &theirs);
    if (theirs == MPI_ERRORS_ARE_FATAL) pmpi.Comm_set_errhandler(communicator, ours);
    if (theirs != MPI_ERRHANDLER_NULL) pmpi.Errhandler_free(&theirs);
}

void unwatch(MPI_Comm communicator) {
    MPI_Errhandler theirs = MPI_ERRHANDLER_NULL;
    pmpi.Comm_get_errhandler(communicator, &theirs);
    if (theirs == ours) pmpi.Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
    if (theirs != MPI_ERRHANDLER_NULL) pmpi.Errhandler_free(&theirs);
}

}  // namespace

void watch_errors() {
    if (pmpi.Comm_create_errhandler(fatal_error, &ours) != MPI_SUCCESS) return;
    watch(MPI_COMM_WORLD);
    watch(MPI_COMM_SELF);
}

void unwatch_errors() {
    if (ours == MPI_ERRHANDLER_NULL) return;
    unwatch(MPI_COMM_WORLD);
    unwatch(MPI_COMM_SELF);
}

void error_returned(int code) {
    record_error(code);
}

}  // namespace mqinspect::tracer

namespace {

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

MPI_Errhandler to_ours(MPI_Errhandler theirs) {
    return theirs == MPI_ERRORS_ARE_FATAL && ours != MPI_ERRHANDLER_NULL ? ours : theirs;
}

/// The program knows nothing of our handler.
void to_theirs(MPI_Errhandler* given) {
    if (ours == MPI_ERRHANDLER_NULL || *given != ours) return;
    pmpi.Errhandler_free(given);
    *given = MPI_ERRORS_ARE_FATAL;
}

template <class Set>
int set_handler(Call& call, Set set, MPI_Comm comm, MPI_Errhandler errhandler) {
    const std::int64_t before[] = {communicator_id(comm), values::other(errhandler)};
    call.enter(before);
    const int code = set(comm, to_ours(errhandler));
    call.returned();
    const std::int64_t after[] = {code};
    call.leave(after);
    return code;
}

template <class Get>
int get_handler(Call& call, Get get, MPI_Comm comm, MPI_Errhandler* errhandler) {
    const std::int64_t before[] = {communicator_id(comm)};
    call.enter(before);
    const int code = get(comm, errhandler);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    if (valid) to_theirs(errhandler);
    const std::int64_t after[] = {code, values::other_given(valid, errhandler)};
    call.leave(after);
    return code;
}

}  // namespace

MQT_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Comm_set_errhandler, MQT_CALLER))
        return pmpi.Comm_set_errhandler(comm, errhandler);
    return set_handler(call, pmpi.Comm_set_errhandler, comm, errhandler);
}

MQT_EXPORT int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Comm_get_errhandler, MQT_CALLER)) {
        const int code = pmpi.Comm_get_errhandler(comm, errhandler);
        if (code == MPI_SUCCESS) to_theirs(errhandler);
        return code;
    }
    return get_handler(call, pmpi.Comm_get_errhandler, comm, errhandler);
}

MQT_EXPORT int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Errhandler_set, MQT_CALLER))
        return pmpi.Comm_set_errhandler(comm, errhandler);
    return set_handler(call, pmpi.Comm_set_errhandler, comm, errhandler);
}

MQT_EXPORT int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) {
    Call call;
    if (!call.open(procedures::kMPI_Errhandler_get, MQT_CALLER)) {
        const int code = pmpi.Comm_get_errhandler(comm, errhandler);
        if (code == MPI_SUCCESS) to_theirs(errhandler);
        return code;
    }
    return get_handler(call, pmpi.Comm_get_errhandler, comm, errhandler);
}

// MPI_Init, MPI_Finalize, MPI_Abort, MPI_Pcontrol.
#include "tracer/control/endings.h"
#include "tracer/control/errors.h"
#include "tracer/export.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/values.h"

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

namespace {

void initialised(const Call& call, int required, int provided) {
    note_main(call.site());
    recorder.define_world(required, provided);
    watch_errors();
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the standard's names
MQT_EXPORT int MPI_Init(int* argc, char*** argv) {
    Call call;
    if (!call.open(procedures::kMPI_Init, MQT_CALLER)) return pmpi.Init(argc, argv);
    const std::int64_t before[] = {values::address(argc), values::address(argv)};
    call.enter(before);
    const int code = pmpi.Init(argc, argv);
    call.returned();
    if (code == MPI_SUCCESS) {
        int provided = MPI_THREAD_SINGLE;
        pmpi.Query_thread(&provided);
        initialised(call, MPI_THREAD_SINGLE, provided);
    }
    const std::int64_t after[] = {code};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    Call call;
    if (!call.open(procedures::kMPI_Init_thread, MQT_CALLER))
        return pmpi.Init_thread(argc, argv, required, provided);
    const std::int64_t before[] = {values::address(argc), values::address(argv), required};
    call.enter(before);
    const int code = pmpi.Init_thread(argc, argv, required, provided);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    if (valid) initialised(call, required, *provided);
    const std::int64_t after[] = {code, values::pointed(valid, provided)};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Finalize() {
    Call call;
    if (!call.open(procedures::kMPI_Finalize, MQT_CALLER)) return pmpi.Finalize();
    call.enter();
    unwatch_errors();
    const int code = pmpi.Finalize();
    call.returned();
    if (code == MPI_SUCCESS && mqi_pending.state != mqinspect::pending::State::None)
        mqi_pending.state = mqinspect::pending::State::Finalized;
    recorder.define_clock();
    const std::int64_t after[] = {code};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Abort(MPI_Comm comm, int errorcode) {
    Call call;
    if (!call.open(procedures::kMPI_Abort, MQT_CALLER)) return pmpi.Abort(comm, errorcode);
    const std::int64_t before[] = {communicator_id(comm), errorcode};
    call.enter(before);
    record_abort(errorcode);
    recorder.define_clock();
    const int code = pmpi.Abort(comm, errorcode);
    call.returned();
    const std::int64_t after[] = {code};
    call.leave(after);
    return code;
}

/// Further arguments are the profiling library's, and MPICH's takes none.
MQT_EXPORT int MPI_Pcontrol(const int level, ...) {
    Call call;
    if (!call.open(procedures::kMPI_Pcontrol, MQT_CALLER)) return MPI_SUCCESS;
    const std::int64_t before[] = {level};
    call.enter(before);
    call.returned();
    const std::int64_t after[] = {MPI_SUCCESS};
    call.leave(after);
    return MPI_SUCCESS;
}
// NOLINTEND(readability-identifier-naming)

// MPI_Start and MPI_Startall: the buffers of sends have checksums from here on.
#include "tracer/export.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/values.h"

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)
namespace model = mqinspect::model;

namespace {

std::int64_t checksum_of_start(MPI_Request* place) {
    RequestInfo info;
    if (place == nullptr || !request_info(*place, place, info)) return 0;
    if (!is_send(info.operation.kind) || info.operation.peer == MPI_PROC_NULL) return 0;
    return checksum_if_there(info.buffer(), info.operation.count, info.datatype);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the standard's names
MQT_EXPORT MQT_HOT int MPI_Start(MPI_Request* request) {
    Call call;
    if (!call.open(procedures::kMPI_Start, MQT_CALLER)) return pmpi.Start(request);
    const std::int64_t before[] = {values::request_given(true, request),
                                   checksum_of_start(request)};
    call.enter(before);
    const int code = pmpi.Start(request);
    call.returned();
    if (code == MPI_SUCCESS) request_started_again(*request, request);
    const std::int64_t after[] = {code, values::request_given(true, request)};
    call.leave(after);
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Startall(int count, MPI_Request requests[]) {
    Call call;
    if (!call.open(procedures::kMPI_Startall, MQT_CALLER)) return pmpi.Startall(count, requests);
    const std::int64_t before[] = {
        count,
        values::requests(call, requests, count),
        values::list(call, requests == nullptr ? 0 : count, [requests](std::int64_t i) {
            return checksum_of_start(&requests[i]);
        })};
    call.enter(before);
    const int code = pmpi.Startall(count, requests);
    call.returned();
    for (int i = 0; code == MPI_SUCCESS && i < count; ++i)
        request_started_again(requests[i], &requests[i]);
    const std::int64_t after[] = {code, values::requests(call, requests, count)};
    call.leave(after);
    return code;
}
// NOLINTEND(readability-identifier-naming)

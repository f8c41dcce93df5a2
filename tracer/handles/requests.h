/// Requests and matched messages: numbers that no other request of the process has had.
///
/// MPI libraries use their handles again, and some give one handle to several requests that were
/// complete at once; those are told apart by the variable that the program keeps the handle in.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

#include "tracer/handles/datatypes.h"

namespace mqinspect::tracer {

/// What a request stands for.
struct Operation {
    enum class Kind : std::uint8_t { Other, Send, Receive };

    Kind kind = Kind::Other;
    bool persistent = false;
    const void* buffer = nullptr;
    std::int64_t count = 0;
    const DatatypeInfo* datatype = nullptr;
};

struct RequestInfo {
    std::int64_t id = 0;
    Operation operation;
};

/// Gives the request at `place` a number, and returns it.
std::int64_t request_started(const Operation& operation, const MPI_Request* place);

/// `place`: where the program keeps the handle; null: elsewhere.
std::int64_t request_id(MPI_Request request, const MPI_Request* place);
/// False: unknown.
bool request_info(MPI_Request request, const MPI_Request* place, RequestInfo& info);
/// The handle is no more.
void request_ended(std::int64_t id, MPI_Request request);

/// A request that a call was given. Unknown ones have kNullHandle or kInvalidHandle as id.
struct GivenRequest {
    RequestInfo info;
    MPI_Request handle;
    bool known;
    bool ended;
};

/// All requests of a call at a time.
void look_up_requests(const MPI_Request* requests, std::size_t count, GivenRequest* given);
/// Those with `ended`.
void end_requests(const GivenRequest* given, std::size_t count);

void message_matched(MPI_Message message);
std::int64_t message_id(MPI_Message message);
void message_received(MPI_Message message);

}  // namespace mqinspect::tracer

// MPI_Wait and MPI_Test in all forms, and MPI_Request_free.
//
// Handles must be looked up before the call, which overwrites them; what they stood for is looked
// at afterwards: the checksum of a send's buffer, which must be that of its start, and of what a
// receive has received.
#include "tracer/export.h"
#include "tracer/pmpi.h"
#include "tracer/procedures.h"
#include "tracer/values.h"

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)
namespace model = mqinspect::model;
namespace pending = mqinspect::pending;

namespace {

/// The requests of one call, and what becomes of them.
class Requests {
public:
    Requests(Call& call, int count, MPI_Request* requests)
        : places_(requests),
          count_(requests == nullptr || count < 0 || count > values::kLongestList
                     ? 0
                     : static_cast<std::size_t>(count)),
          given_(call.scratch_array<GivenRequest>(count_)),
          before_(call.list(count_)),
          after_(call.list(count_)),
          checksums_(call.list(count_)) {
        if (given_ == nullptr || checksums_->elements == nullptr) [[unlikely]]
            count_ = 0;
        look_up_requests(places_, count_, given_);
        for (std::size_t i = 0; i < count_; ++i)
            before_->elements[i] = given_[i].info.operation.id;
        before_->length = count_;
    }

    /// Of the calls with one request.
    std::int64_t first() const {
        return count_ == 0 ? model::kNullHandle : given_[0].info.operation.id;
    }
    std::int64_t first_after() const {
        return count_ == 0 || *places_ == MPI_REQUEST_NULL ? model::kNullHandle
                                                           : given_[0].info.operation.id;
    }
    std::int64_t before() const { return values::of_list(before_); }
    /// Null, but for persistent requests and those that are not complete. After settle().
    std::int64_t after() const { return values::of_list(after_); }
    std::int64_t checksums() const { return values::of_list(checksums_); }

    void completed(int i, const MPI_Status& status) {
        const auto at = static_cast<std::size_t>(i);
        if (at >= count_ || !given_[at].known) return;
        given_[at].completed = true;
        count(given_[at].info, status);
        checksums_->elements[checksums_->length++] = checksum_of(given_[at].info, status);
    }
    /// Those are no more whose handles have become null, also by an error.
    void settle() {
        bool any = false;
        for (std::size_t i = 0; i < count_; ++i) {
            GivenRequest& given = given_[i];
            const bool null = places_[i] == MPI_REQUEST_NULL;
            after_->elements[i] = null ? model::kNullHandle : given.info.operation.id;
            given.ended = given.known && null;
            if (given.ended && !given.completed) stop_counting(given.info.communicator);
            any = any || given.ended || given.completed;
        }
        after_->length = count_;
        if (any) end_requests(given_, count_);
    }

private:
    static std::int64_t checksum_of(const RequestInfo& info, const MPI_Status& status) {
        const pending::Operation& operation = info.operation;
        if (is_send(operation.kind)) return checksum(info.buffer(), operation.count, info.datatype);
        if (is_receive(operation.kind)) {
            return checksum(
                info.buffer(), operation.count, info.datatype, values::bytes_of(status));
        }
        return 0;
    }
    static void count(const RequestInfo& info, const MPI_Status& status) {
        const pending::Operation& operation = info.operation;
        if (is_receive(operation.kind) || operation.kind == pending::Kind::SendReceive) {
            values::received(info.communicator, true, status);
        } else if (is_send(operation.kind) && info.communicator != nullptr &&
                   values::cancelled(status)) {
            count_sent_back(*info.communicator, operation.peer, operation.tag);
        }
    }

    MPI_Request* places_;
    std::size_t count_;
    GivenRequest* given_;
    List* before_;
    List* after_;
    List* checksums_;
};

/// The program's array of statuses, or ours where it wants none.
MPI_Status* or_own(Call& call, MPI_Status* statuses, int count) {
    if (statuses != MPI_STATUSES_IGNORE) return statuses;
    auto* own = call.scratch_array<MPI_Status>(static_cast<std::size_t>(std::max(count, 0)));
    return own == nullptr ? MPI_STATUSES_IGNORE : own;
}

/// `count` statuses; `errors`: MPI_ERROR says something (MPI 4.0, 3.7.5).
std::int64_t all_statuses(Call& call, const MPI_Status* statuses, std::int64_t count, bool errors) {
    const bool none = statuses == MPI_STATUSES_IGNORE || statuses == nullptr;
    count = none ? 0 : std::clamp<std::int64_t>(count, 0, values::kLongestList);
    const auto numbers = static_cast<std::size_t>(count) * model::kStatusValues;
    List* list = call.list(numbers);
    if (list->elements == nullptr) return values::of_list(list);
    for (std::int64_t i = 0; i < count; ++i) {
        values::put_status(statuses[i],
                           errors,
                           list->elements + static_cast<std::size_t>(i) * model::kStatusValues);
    }
    list->length = numbers;
    return values::of_list(list);
}

bool has_statuses(const MPI_Status* statuses) {
    return statuses != MPI_STATUSES_IGNORE && statuses != nullptr;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the standard's names
MQT_EXPORT int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Wait, MQT_CALLER)) return pmpi.Wait(request, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests requests(call, 1, request);
    const std::int64_t before[] = {requests.first()};
    call.enter(before);
    const int code = pmpi.Wait(request, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    if (valid || (request != nullptr && *request == MPI_REQUEST_NULL))
        requests.completed(0, *status);
    requests.settle();
    const std::int64_t after[] = {
        code, requests.first_after(), values::status(call, valid, status), requests.checksums()};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Test, MQT_CALLER)) return pmpi.Test(request, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests requests(call, 1, request);
    const std::int64_t before[] = {requests.first()};
    call.enter(before);
    const int code = pmpi.Test(request, flag, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS && *flag != 0;
    if (valid) requests.completed(0, *status);
    requests.settle();
    const std::int64_t after[] = {code,
                                  requests.first_after(),
                                  values::pointed(code == MPI_SUCCESS, flag),
                                  values::status(call, valid, status),
                                  requests.checksums()};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Waitall, MQT_CALLER))
        return pmpi.Waitall(count, requests, statuses);
    MPI_Status* filled = or_own(call, statuses, count);
    Requests all(call, count, requests);
    const std::int64_t before[] = {count, all.before()};
    call.enter(before);
    const int code = pmpi.Waitall(count, requests, filled);
    call.returned();
    const bool errors = code == MPI_ERR_IN_STATUS;
    const bool valid = (code == MPI_SUCCESS || errors) && has_statuses(filled);
    for (int i = 0; valid && i < count; ++i)
        if (!errors || filled[i].MPI_ERROR == MPI_SUCCESS) all.completed(i, filled[i]);
    all.settle();
    const std::int64_t after[] = {
        code, all.after(), all_statuses(call, filled, valid ? count : 0, errors), all.checksums()};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Testall, MQT_CALLER))
        return pmpi.Testall(count, requests, flag, statuses);
    MPI_Status* filled = or_own(call, statuses, count);
    Requests all(call, count, requests);
    const std::int64_t before[] = {count, all.before()};
    call.enter(before);
    const int code = pmpi.Testall(count, requests, flag, filled);
    call.returned();
    const bool errors = code == MPI_ERR_IN_STATUS;
    const bool done = code == MPI_SUCCESS && *flag != 0;
    const bool valid = (done || errors) && has_statuses(filled);
    for (int i = 0; valid && i < count; ++i)
        if (!errors || filled[i].MPI_ERROR == MPI_SUCCESS) all.completed(i, filled[i]);
    all.settle();
    const std::int64_t after[] = {code,
                                  all.after(),
                                  values::pointed(code == MPI_SUCCESS, flag),
                                  all_statuses(call, filled, valid ? count : 0, errors),
                                  all.checksums()};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int* indx, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Waitany, MQT_CALLER))
        return pmpi.Waitany(count, requests, indx, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests all(call, count, requests);
    const std::int64_t before[] = {count, all.before()};
    call.enter(before);
    const int code = pmpi.Waitany(count, requests, indx, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    if (valid) all.completed(*indx, *status);
    all.settle();
    const std::int64_t after[] = {code,
                                  all.after(),
                                  values::pointed(valid, indx),
                                  values::status(call, valid, status),
                                  all.checksums()};
    call.leave(after);
    return code;
}

MQT_EXPORT int MPI_Testany(
    int count, MPI_Request requests[], int* indx, int* flag, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Testany, MQT_CALLER))
        return pmpi.Testany(count, requests, indx, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests all(call, count, requests);
    const std::int64_t before[] = {count, all.before()};
    call.enter(before);
    const int code = pmpi.Testany(count, requests, indx, flag, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    const bool done = valid && *flag != 0;
    if (done) all.completed(*indx, *status);
    all.settle();
    const std::int64_t after[] = {code,
                                  all.after(),
                                  values::pointed(valid, indx),
                                  values::pointed(valid, flag),
                                  values::status(call, done, status),
                                  all.checksums()};
    call.leave(after);
    return code;
}

namespace {

using SomeFunction = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);

/// MPI_Waitsome and MPI_Testsome differ only in whether they wait.
int complete_some(Call& call,
                  SomeFunction function,
                  int incount,
                  MPI_Request* requests,
                  int* outcount,
                  int* indices,
                  MPI_Status* statuses) {
    MPI_Status* filled = or_own(call, statuses, incount);
    Requests all(call, incount, requests);
    const std::int64_t before[] = {incount, all.before()};
    call.enter(before);
    const int code = function(incount, requests, outcount, indices, filled);
    call.returned();
    const bool errors = code == MPI_ERR_IN_STATUS;
    const bool valid = (code == MPI_SUCCESS || errors) && has_statuses(filled);
    const int done = valid && *outcount != MPI_UNDEFINED ? *outcount : 0;
    for (int i = 0; i < done; ++i)
        if (!errors || filled[i].MPI_ERROR == MPI_SUCCESS) all.completed(indices[i], filled[i]);
    all.settle();
    const std::int64_t after[] = {code,
                                  all.after(),
                                  values::pointed(valid, outcount),
                                  values::numbers(call, indices, done),
                                  all_statuses(call, filled, done, errors),
                                  all.checksums()};
    call.leave(after);
    return code;
}

}  // namespace

MQT_EXPORT int MPI_Waitsome(
    int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Waitsome, MQT_CALLER))
        return pmpi.Waitsome(incount, requests, outcount, indices, statuses);
    return complete_some(call, pmpi.Waitsome, incount, requests, outcount, indices, statuses);
}

MQT_EXPORT int MPI_Testsome(
    int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Testsome, MQT_CALLER))
        return pmpi.Testsome(incount, requests, outcount, indices, statuses);
    return complete_some(call, pmpi.Testsome, incount, requests, outcount, indices, statuses);
}

MQT_EXPORT int MPI_Request_free(MPI_Request* request) {
    Call call;
    if (!call.open(procedures::kMPI_Request_free, MQT_CALLER)) return pmpi.Request_free(request);
    GivenRequest given{};
    given.info.operation.id = model::kNullHandle;
    if (request != nullptr) look_up_requests(request, 1, &given);
    const std::int64_t before[] = {given.info.operation.id};
    call.enter(before);
    const int code = pmpi.Request_free(request);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    // What becomes of a receive without a handle nobody learns.
    const pending::Operation& freed = given.info.operation;
    if (valid && given.known && (freed.persistent == 0 || freed.active != 0) &&
        (is_receive(freed.kind) || freed.kind == pending::Kind::SendReceive))
        stop_counting(given.info.communicator);
    if (valid && given.known) request_ended(given.info.operation.id, given.handle);
    const std::int64_t after[] = {code, valid ? model::kNullHandle : given.info.operation.id};
    call.leave(after);
    return code;
}
// NOLINTEND(readability-identifier-naming)

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

/// `errors`: whether MPI_ERROR says anything.
template <class Writer>
[[gnu::always_inline]] inline void put_statuses(Writer& out,
                                                std::size_t count,
                                                const MPI_Status* statuses,
                                                bool errors) {
    out.template list_of<model::kStatusValues>(
        !errors,
        count,
        [statuses](std::size_t i) { return values::words_of(statuses[i]); },
        [statuses, errors](std::size_t i, std::int64_t* numbers) {
            values::put_status(statuses[i], errors, numbers);
        });
}

/// The statuses that a call fills: the program's, or ours where it wants none.
class Statuses {
public:
    Statuses(Call& call, MPI_Status* given, int count)
        : first_(given != MPI_STATUSES_IGNORE ? given
                                              : call.scratch_array<MPI_Status>(
                                                    static_cast<std::size_t>(std::max(count, 0)))) {
        if (first_ == nullptr && given == MPI_STATUSES_IGNORE) first_ = MPI_STATUSES_IGNORE;
    }

    MPI_Status* data() const { return first_; }
    const MPI_Status& operator[](std::size_t i) const { return first_[i]; }
    /// After the call; false: it has failed. MPI_ERROR says something only if it returns
    /// MPI_ERR_IN_STATUS (MPI 4.0, 3.7.5).
    bool filled(int code) {
        errors_ = code == MPI_ERR_IN_STATUS;
        return (code == MPI_SUCCESS || errors_) && is_there();
    }
    bool is_good(std::size_t i) const { return !errors_ || first_[i].MPI_ERROR == MPI_SUCCESS; }

    static std::size_t elements(int count) {
        return static_cast<std::size_t>(std::max(count, 0)) * model::kStatusValues;
    }
    /// So many of them.
    template <class Writer>
    [[gnu::hot]] void put(Writer& out, int count) const {
        const bool none = !is_there() || count < 0 || count > values::kLongestList;
        const auto rows = none ? std::size_t{0} : static_cast<std::size_t>(count);
        put_statuses(out, rows, first_, errors_);
    }

private:
    /// Some libraries have MPI_STATUSES_IGNORE for null, and to others that is an error.
    bool is_there() const {
        if (first_ == nullptr) return false;
        return first_ != MPI_STATUSES_IGNORE;
    }

    MPI_Status* first_;
    bool errors_ = false;
};

/// The requests of one call, and what becomes of them.
class Requests {
public:
    Requests(Call& call, int count, MPI_Request* requests)
        : places_(requests),
          count_(requests == nullptr || count < 0 || count > values::kLongestList
                     ? 0
                     : static_cast<std::size_t>(count)),
          given_(call.scratch_array<GivenRequest>(count_)) {
        if (given_ == nullptr) [[unlikely]]
            count_ = 0;
        look_up_requests(places_, count_, given_);
    }

    std::size_t count() const { return count_; }
    /// Elements of what put_after() and put_checksums() write, at most.
    std::size_t elements_after() const { return 2 * count_; }

    [[gnu::always_inline]] void completed(int i, const MPI_Status& status) {
        const auto at = static_cast<std::size_t>(i);
        if (at < count_ && given_[at].known) complete(at, status);
    }
    /// All of them, but for those whose status says something else.
    [[gnu::always_inline]] void all_completed(const Statuses& statuses) {
        for (std::size_t i = 0; i < count_; ++i)
            if (given_[i].known && statuses.is_good(i)) complete(i, statuses[i]);
    }
    /// After the last completed(): those are no more whose handles have become null.
    void settle() {
        bool any = completed_ != 0;
        for (std::size_t i = 0; !any && i < count_; ++i)
            any = given_[i].known && places_[i] == MPI_REQUEST_NULL;
        if (any) ended_ = end_requests(places_, count_, given_);
    }

    // Of the calls with one request:
    std::int64_t first() const { return count_ == 0 ? model::kNullHandle : given_[0].id; }
    std::int64_t first_after() const { return count_ == 0 ? model::kNullHandle : after(0); }

    template <class Writer>
    void put_before(Writer& out) const {
        out.list(count_, [this](std::size_t i, std::int64_t* id) { *id = given_[i].id; });
    }
    /// Null, but for persistent requests and those that are not complete.
    template <class Writer>
    void put_after(Writer& out) const {
        if (ended_ == count_) return out.list_of_equal(count_, model::kNullHandle);
        out.list(count_, [this](std::size_t i, std::int64_t* id) { *id = after(i); });
    }
    template <class Writer>
    void put_checksums(Writer& out) const {
        if (!any_checksum_) return out.list_of_equal(completed_, 0);
        out.list(completed_,
                 [this](std::size_t i, std::int64_t* sum) { *sum = given_[i].checksum; });
    }

private:
    [[gnu::always_inline]] void complete(std::size_t i, const MPI_Status& status) {
        given_[i].completed = true;
        count(given_[i], status);
        const std::int64_t checksum = checksum_of(given_[i], status);
        any_checksum_ |= checksum != 0;
        given_[completed_++].checksum = checksum;
    }
    std::int64_t after(std::size_t i) const {
        return places_[i] == MPI_REQUEST_NULL ? model::kNullHandle : given_[i].id;
    }
    static std::int64_t checksum_of(const GivenRequest& given, const MPI_Status& status) {
        if (given.told) return 0;
        if (is_send(given.kind))
            return checksum_if_there(given.buffer, given.count, given.datatype);
        if (is_receive(given.kind)) {
            return checksum_if_there(
                given.buffer, given.count, given.datatype, values::bytes_of(status));
        }
        return 0;
    }
    static void count(const GivenRequest& given, const MPI_Status& status) {
        if (is_receive(given.kind) || given.kind == pending::Kind::SendReceive) {
            values::received(given.communicator, true, status);
        } else if (is_send(given.kind) && given.communicator != nullptr &&
                   values::cancelled(status)) {
            count_sent_back(*given.communicator, given.peer, given.tag);
        }
    }

    MPI_Request* places_;
    std::size_t count_;
    GivenRequest* given_;
    std::size_t completed_ = 0;
    std::size_t ended_ = 0;
    bool any_checksum_ = false;
};

/// Of the calls with one status.
template <class Writer>
void put_status(Writer& out, bool valid, const MPI_Status* status) {
    put_statuses(out, valid && status != nullptr ? 1 : 0, status, false);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the standard's names
MQT_EXPORT MQT_HOT int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Wait, MQT_CALLER)) return pmpi.Wait(request, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests requests(call, 1, request);
    call.enter_as<1>(0, [&](auto& out) { out.number(requests.first()); });
    const int code = pmpi.Wait(request, status);
    call.returned(request);
    const bool valid = code == MPI_SUCCESS;
    if (valid || (request != nullptr && *request == MPI_REQUEST_NULL))
        requests.completed(0, *status);
    requests.settle();
    call.leave_as<4>(code, true, 1 + model::kStatusValues, [&](auto& out) {
        out.number(code);
        out.number(requests.first_after());
        put_status(out, valid, status);
        requests.put_checksums(out);
    });
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Test, MQT_CALLER)) return pmpi.Test(request, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests requests(call, 1, request);
    call.enter_as<1>(0, [&](auto& out) { out.number(requests.first()); });
    const int code = pmpi.Test(request, flag, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS && *flag != 0;
    if (valid) requests.completed(0, *status);
    requests.settle();
    const std::int64_t found = values::pointed(code == MPI_SUCCESS, flag);
    call.leave_as<5>(code, found != 0, 1 + model::kStatusValues, [&](auto& out) {
        out.number(code);
        out.number(requests.first_after());
        out.number(found);
        put_status(out, valid, status);
        requests.put_checksums(out);
    });
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Waitall(int count,
                                   MPI_Request array_of_requests[],
                                   MPI_Status array_of_statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Waitall, MQT_CALLER))
        return pmpi.Waitall(count, array_of_requests, array_of_statuses);
    Statuses filled(call, array_of_statuses, count);
    Requests all(call, count, array_of_requests);
    call.enter_as<2>(all.count(), [&, count](auto& out) {
        out.number(count);
        all.put_before(out);
    });
    const int code = pmpi.Waitall(count, array_of_requests, filled.data());
    call.returned(count, array_of_requests);
    const bool valid = filled.filled(code);
    if (valid) all.all_completed(filled);
    all.settle();
    const int done = valid ? count : 0;
    call.leave_as<4>(code, true, all.elements_after() + Statuses::elements(done), [&](auto& out) {
        out.number(code);
        all.put_after(out);
        filled.put(out, done);
        all.put_checksums(out);
    });
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Testall(int count,
                                   MPI_Request array_of_requests[],
                                   int* flag,
                                   MPI_Status array_of_statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Testall, MQT_CALLER))
        return pmpi.Testall(count, array_of_requests, flag, array_of_statuses);
    Statuses filled(call, array_of_statuses, count);
    Requests all(call, count, array_of_requests);
    call.enter_as<2>(all.count(), [&](auto& out) {
        out.number(count);
        all.put_before(out);
    });
    const int code = pmpi.Testall(count, array_of_requests, flag, filled.data());
    call.returned();
    const std::int64_t found = values::pointed(code == MPI_SUCCESS, flag);
    const bool valid = filled.filled(code) && (code != MPI_SUCCESS || found != 0);
    if (valid) all.all_completed(filled);
    all.settle();
    const int done = valid ? count : 0;
    const std::size_t elements = all.elements_after() + Statuses::elements(done);
    call.leave_as<5>(code, found != 0, elements, [&](auto& out) {
        out.number(code);
        all.put_after(out);
        out.number(found);
        filled.put(out, done);
        all.put_checksums(out);
    });
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Waitany(int count,
                                   MPI_Request array_of_requests[],
                                   int* indx,
                                   MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Waitany, MQT_CALLER))
        return pmpi.Waitany(count, array_of_requests, indx, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests all(call, count, array_of_requests);
    call.enter_as<2>(all.count(), [&, count](auto& out) {
        out.number(count);
        all.put_before(out);
    });
    const int code = pmpi.Waitany(count, array_of_requests, indx, status);
    call.returned(count, array_of_requests);
    const bool valid = code == MPI_SUCCESS;
    if (valid) all.completed(*indx, *status);
    all.settle();
    const std::size_t elements = all.elements_after() + model::kStatusValues;
    call.leave_as<5>(code, true, elements, [&](auto& out) {
        out.number(code);
        all.put_after(out);
        out.number(values::pointed(valid, indx));
        put_status(out, valid, status);
        all.put_checksums(out);
    });
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Testany(
    int count, MPI_Request array_of_requests[], int* indx, int* flag, MPI_Status* status) {
    Call call;
    if (!call.open(procedures::kMPI_Testany, MQT_CALLER))
        return pmpi.Testany(count, array_of_requests, indx, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    Requests all(call, count, array_of_requests);
    call.enter_as<2>(all.count(), [&](auto& out) {
        out.number(count);
        all.put_before(out);
    });
    const int code = pmpi.Testany(count, array_of_requests, indx, flag, status);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    const std::int64_t found = values::pointed(valid, flag);
    if (found != 0) all.completed(*indx, *status);
    all.settle();
    const std::size_t elements = all.elements_after() + model::kStatusValues;
    call.leave_as<6>(code, found != 0, elements, [&](auto& out) {
        out.number(code);
        all.put_after(out);
        out.number(values::pointed(valid, indx));
        out.number(found);
        put_status(out, found != 0, status);
        all.put_checksums(out);
    });
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
    Statuses filled(call, statuses, incount);
    Requests all(call, incount, requests);
    call.enter_as<2>(all.count(), [&](auto& out) {
        out.number(incount);
        all.put_before(out);
    });
    const int code = function(incount, requests, outcount, indices, filled.data());
    call.returned();
    const bool valid = filled.filled(code);
    const std::int64_t found = values::pointed(valid, outcount);
    const int done = valid && *outcount != MPI_UNDEFINED ? std::max(*outcount, 0) : 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(done); ++i)
        if (filled.is_good(i)) all.completed(indices[i], filled[i]);
    all.settle();
    const std::size_t elements =
        all.elements_after() + Statuses::elements(done) + static_cast<std::size_t>(done);
    call.leave_as<6>(code, found != 0, elements, [&](auto& out) {
        out.number(code);
        all.put_after(out);
        out.number(found);
        out.list(static_cast<std::size_t>(done),
                 [&](std::size_t i, std::int64_t* index) { *index = indices[i]; });
        filled.put(out, done);
        all.put_checksums(out);
    });
    return code;
}

}  // namespace

MQT_EXPORT MQT_HOT int MPI_Waitsome(int incount,
                                    MPI_Request array_of_requests[],
                                    int* outcount,
                                    int array_of_indices[],
                                    MPI_Status array_of_statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Waitsome, MQT_CALLER)) {
        return pmpi.Waitsome(
            incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    }
    const int code = complete_some(call,
                                   pmpi.Waitsome,
                                   incount,
                                   array_of_requests,
                                   outcount,
                                   array_of_indices,
                                   array_of_statuses);
    Call::keep(incount, array_of_requests);
    return code;
}

MQT_EXPORT MQT_HOT int MPI_Testsome(int incount,
                                    MPI_Request array_of_requests[],
                                    int* outcount,
                                    int array_of_indices[],
                                    MPI_Status array_of_statuses[]) {
    Call call;
    if (!call.open(procedures::kMPI_Testsome, MQT_CALLER)) {
        return pmpi.Testsome(
            incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    }
    return complete_some(call,
                         pmpi.Testsome,
                         incount,
                         array_of_requests,
                         outcount,
                         array_of_indices,
                         array_of_statuses);
}

MQT_EXPORT int MPI_Request_free(MPI_Request* request) {
    Call call;
    if (!call.open(procedures::kMPI_Request_free, MQT_CALLER)) return pmpi.Request_free(request);
    GivenRequest given{};
    given.id = model::kNullHandle;
    if (request != nullptr) look_up_requests(request, 1, &given);
    const std::int64_t before[] = {given.id};
    call.enter(before);
    const int code = pmpi.Request_free(request);
    call.returned();
    const bool valid = code == MPI_SUCCESS;
    // What becomes of a receive without a handle nobody learns.
    if (valid && given.known && (!given.persistent || given.active) &&
        (is_receive(given.kind) || given.kind == pending::Kind::SendReceive))
        stop_counting(given.communicator);
    if (valid && given.known) request_ended(given.id, given.handle);
    const std::int64_t after[] = {code, valid ? model::kNullHandle : given.id};
    call.leave(after);
    return code;
}
// NOLINTEND(readability-identifier-naming)

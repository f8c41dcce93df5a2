/// How nonblocking receives will end, before their completion is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/pairing/call_kind.h"
#include "analysis/pairing/flat_map.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// What the status of a completed operation says.
struct Outcome {
    bool cancelled = false;
    std::int64_t source = 0;  ///< rank
    std::int64_t tag = 0;
};

/// Reads ahead in a second stream of a process, as far as it is asked to. Only requests whose
/// outcome matters are remembered: those of receives from any source and, in a run that calls
/// MPI_Cancel, all. What was cancelled and then freed, or never completed, counts as cancelled.
class Outcomes {
public:
    Outcomes(const model::Recording& recording, const std::vector<CallKind>& kinds);

    /// Of the `start`-th start (from 0) of a request; each may be asked for once. Empty: it is
    /// never completed, or its status is not known.
    std::optional<Outcome> take(model::ProcessId process,
                                std::int64_t request,
                                std::uint32_t start);
    bool may_cancel() const { return may_cancel_; }

private:
    struct Watched {
        std::uint32_t starts = 0;  ///< how often it has been started, so far
        bool cancelled = false;    ///< MPI_Cancel has been called since
        bool persistent = false;
    };
    struct Process {
        std::unique_ptr<model::CallStream> stream;
        bool ended = false;
        FlatMap<Watched> watched;  ///< by request
        FlatMap<Outcome> known;    ///< by request and start
    };

    void read_one(Process& process);
    void read_other(Process& process, const model::RecordedCall& call, const CallKind& kind);
    void give_up_cancelled(Process& process);
    void watch(Process& process, const model::RecordedCall& call, const CallKind& kind);
    void complete(Process& process, std::int64_t request, const std::int64_t* status);

    const model::Recording& recording_;
    const std::vector<CallKind>& kinds_;
    bool may_cancel_ = false;
    std::vector<Process> processes_;
};

/// The status at a place of a list; null: it was not recorded.
inline const std::int64_t* status_at(const model::Value* value, std::size_t at) {
    const std::size_t begin = at * model::kStatusValues;
    if (value == nullptr || value->list.size() < begin + model::kStatusValues) return nullptr;
    return value->list.data() + begin;
}

/// for_each_completed of MPI_Waitsome and MPI_Testsome.
template <class Visit>
void for_each_of_some(const model::Procedure& procedure,
                      const model::RecordedCall& call,
                      std::span<const std::int64_t> requests,
                      Visit& visit) {
    using model::Role;
    const model::Value* indices = model::value_of(procedure, call.after, Role::Indices);
    const model::Value* count = model::value_of(procedure, call.after, Role::OutCount);
    const model::Value* statuses = model::value_of(procedure, call.after, Role::Statuses);
    if (indices == nullptr || count == nullptr || count->number < 0) return;
    for (std::size_t place = 0; place < indices->list.size(); ++place) {
        if (place >= static_cast<std::size_t>(count->number)) break;
        const std::int64_t index = indices->list[place];
        if (index < 0 || static_cast<std::size_t>(index) >= requests.size()) continue;
        const auto at = static_cast<std::size_t>(index);
        visit(requests[at], status_at(statuses, place), at, place);
    }
}

/// Calls visit(request, status or null, place in the lists, place among the completed ones) for
/// each request that the call has completed. Precondition: Action::Complete.
template <class Visit>
void for_each_completed(const model::Procedure& procedure,
                        const CallKind& kind,
                        const model::RecordedCall& call,
                        Visit visit) {
    using model::Role;
    if (!call.leave_event) return;
    const auto after = [&](Role role) { return model::value_of(procedure, call.after, role); };
    const model::Value* flag = kind.probes_only ? after(Role::Flag) : nullptr;
    if (flag != nullptr && flag->number == 0) return;
    if (kind.completed == Completed::One) {
        const model::Value* request = model::value_of(procedure, call.before, Role::Request);
        if (request == nullptr) return;
        visit(request->number, status_at(after(Role::Status), 0), std::size_t{0}, std::size_t{0});
        return;
    }
    const model::Value* requests = model::value_of(procedure, call.before, Role::Requests);
    if (requests == nullptr) return;
    const std::span<const std::int64_t> list = requests->list;
    if (kind.completed == Completed::Any) {
        const model::Value* index = after(Role::Index);
        if (index == nullptr || index->number < 0) return;
        const auto at = static_cast<std::size_t>(index->number);
        if (at < list.size())
            visit(list[at], status_at(after(Role::Status), 0), at, std::size_t{0});
        return;
    }
    if (kind.completed == Completed::Some) return for_each_of_some(procedure, call, list, visit);
    std::size_t completed = 0;
    for (std::size_t at = 0; at < list.size(); ++at)
        if (list[at] >= 0) visit(list[at], status_at(after(Role::Statuses), at), at, completed++);
}

}  // namespace mqinspect::analysis

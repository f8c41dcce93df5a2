#include "analysis/event_references.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/each_process.h"
#include "analysis/pairing/flat_map.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/merged_calls.h"
#include "analysis/pairing/outcomes.h"

namespace mqinspect::analysis {
namespace {

using model::ProcessId;
using model::RecordedCall;
using model::Role;

// More requests of one call are not referred to.
constexpr std::size_t kMostRequests = 16;

CallKey key_of(const RecordedCall& call) {
    return {call.process, call.thread, call.event};
}

bool is_message(Action action) {
    return action == Action::Send || action == Action::Receive ||
           action == Action::MatchedReceive || action == Action::SendReceive ||
           action == Action::SendReceiveReplace;
}

/// Follows the requests of one process from call to call.
class RequestWalk {
public:
    RequestWalk(const model::Execution& execution,
                const std::vector<CallKind>& kinds,
                const std::set<CallKey>& wanted)
        : execution_(execution), kinds_(kinds), wanted_(wanted) {}

    void feed(const RecordedCall& call);
    OpenOperations open();
    std::map<CallKey, std::vector<OperationReferences>> take() && { return std::move(result_); }

private:
    struct Request {
        std::optional<CallKey> init;
        std::optional<CallKey> start;
        std::vector<std::pair<CallKey, std::size_t>> waiting;  ///< in result_, for its finish
        bool send = false;
        bool receive = false;
        bool persistent = false;
        bool active = false;
    };

    void make(const RecordedCall& call, const CallKind& kind);
    void start(const RecordedCall& call, std::int64_t id);
    void complete(const RecordedCall& call, const CallKind& kind);
    void refer(const CallKey& from, Request& request);
    void finish(std::int64_t id, const RecordedCall& call);
    bool is_wanted(const RecordedCall& call) const {
        return !wanted_.empty() && wanted_.contains(key_of(call));
    }
    const model::Procedure& procedure(const RecordedCall& call) const {
        return execution_.procedures[call.procedure.index()];
    }

    const model::Execution& execution_;
    const std::vector<CallKind>& kinds_;
    const std::set<CallKey>& wanted_;
    FlatMap<Request> requests_;
    std::map<CallKey, std::vector<OperationReferences>> result_;
    OpenOperations blocked_;
};

void RequestWalk::refer(const CallKey& from, Request& request) {
    std::vector<OperationReferences>& operations = result_[from];
    if (operations.size() == kMostRequests) return;
    OperationReferences& added = operations.emplace_back();
    added.init = request.init;
    added.start = request.start;
    request.waiting.emplace_back(from, operations.size() - 1);
}

void RequestWalk::make(const RecordedCall& call, const CallKind& kind) {
    const model::Value* made = model::value_of(procedure(call), call.after, Role::Request);
    if (!call.leave_event || made == nullptr || made->number < 0) return;
    Request request;
    request.init = key_of(call);
    if (!kind.persistent) request.start = request.init;
    request.active = !kind.persistent;
    request.persistent = kind.persistent;
    const bool both =
        kind.action == Action::SendReceive || kind.action == Action::SendReceiveReplace;
    request.send = both || kind.action == Action::Send;
    request.receive =
        both || kind.action == Action::Receive || kind.action == Action::MatchedReceive;
    Request& kept = requests_[static_cast<std::uint64_t>(made->number)] = std::move(request);
    if (is_wanted(call)) refer(key_of(call), kept);
}

void RequestWalk::start(const RecordedCall& call, std::int64_t id) {
    Request* request = id < 0 ? nullptr : requests_.find(static_cast<std::uint64_t>(id));
    if (request == nullptr) return;
    request->start = key_of(call);
    request->active = true;
    // What refers to the request as a whole means its first start.
    for (const auto& [from, at] : request->waiting)
        if (auto& waiting = result_[from][at]; !waiting.start) waiting.start = request->start;
    if (is_wanted(call)) refer(key_of(call), *request);
}

void RequestWalk::finish(std::int64_t id, const RecordedCall& call) {
    Request* request = id < 0 ? nullptr : requests_.find(static_cast<std::uint64_t>(id));
    if (request == nullptr || !request->active) return;
    for (const auto& [from, at] : request->waiting) {
        OperationReferences& waiting = result_[from][at];
        waiting.finish = key_of(call);
        waiting.finish_event = call.leave_event;
    }
    request->waiting.clear();
    request->active = false;
    if (!request->persistent) requests_.erase(static_cast<std::uint64_t>(id));
}

void RequestWalk::complete(const RecordedCall& call, const CallKind& kind) {
    if (is_wanted(call)) {
        const model::Value* one = model::value_of(procedure(call), call.before, Role::Request);
        const model::Value* all = model::value_of(procedure(call), call.before, Role::Requests);
        const std::vector<std::int64_t> single{one == nullptr ? model::kNullHandle : one->number};
        const std::span<const std::int64_t> ids = all != nullptr ? all->list : std::span(single);
        for (const std::int64_t id : ids) {
            Request* request = id < 0 ? nullptr : requests_.find(static_cast<std::uint64_t>(id));
            if (request != nullptr) refer(key_of(call), *request);
        }
    }
    for_each_completed(
        procedure(call), kind, call, [&](std::int64_t id, auto, auto, auto) { finish(id, call); });
}

void RequestWalk::feed(const RecordedCall& call) {
    const CallKind& kind = kinds_[call.procedure.index()];
    const bool operation = is_message(kind.action) || kind.action == Action::Collective;
    if (operation && !kind.blocking) return make(call, kind);
    if (operation) {
        const bool both =
            kind.action == Action::SendReceive || kind.action == Action::SendReceiveReplace;
        if (!call.leave_event && kind.action != Action::Collective) {
            blocked_.sends += both || kind.action == Action::Send ? 1 : 0;
            blocked_.receives += both || kind.action != Action::Send ? 1 : 0;
        }
        if (!is_wanted(call)) return;
        OperationReferences& own = result_[key_of(call)].emplace_back();
        own.init = own.start = key_of(call);
        if (call.leave_event) own.finish = key_of(call);
        own.finish_event = call.leave_event;
        return;
    }
    if (kind.action == Action::Complete) return complete(call, kind);
    if (kind.action != Action::Start && kind.action != Action::Free) return;
    const model::Value* one = model::value_of(procedure(call), call.before, Role::Request);
    if (kind.action == Action::Free) {
        if (one != nullptr && one->number >= 0) {
            Request* request = requests_.find(static_cast<std::uint64_t>(one->number));
            if (request == nullptr) return;
            if (is_wanted(call)) refer(key_of(call), *request);
            requests_.erase(static_cast<std::uint64_t>(one->number));
        }
        return;
    }
    if (one != nullptr) return start(call, one->number);
    if (const model::Value* all = model::value_of(procedure(call), call.before, Role::Requests)) {
        for (const std::int64_t id : all->list)
            start(call, id);
    }
}

OpenOperations RequestWalk::open() {
    OpenOperations sum = blocked_;
    requests_.for_each([&](std::uint64_t, const Request& request) {
        sum.sends += request.active && request.send ? 1 : 0;
        sum.receives += request.active && request.receive ? 1 : 0;
    });
    return sum;
}

/// What the operations have met that were started by calls in question.
class Meetings : public MatchVisitor {
public:
    explicit Meetings(std::map<CallKey, OperationReferences> starts) : starts_(std::move(starts)) {}

    void on_pair(const Operation& send, const Operation& receive) override {
        meet(send.site, receive.site);
        meet(receive.site, send.site);
    }
    void on_wave(const Wave&) override {}
    void on_whole(const Wave& wave) override { take(wave); }

    void take(const Wave& wave) {
        for (const Contribution& contribution : wave.contributions) {
            if (!contribution.arrived) continue;
            const auto found = starts_.find(key(contribution.site));
            if (found != starts_.end())
                found->second.collective = {wave.number, wave.order, wave.whole};
        }
    }
    const std::map<CallKey, OperationReferences>& starts() const { return starts_; }

private:
    static CallKey key(const EventSite& site) { return {site.process, site.thread, site.event}; }
    void meet(const EventSite& site, const EventSite& other) {
        const auto found = starts_.find(key(site));
        if (found != starts_.end() && found->second.matched.size() < kMostRequests)
            found->second.matched.push_back(key(other));
    }

    std::map<CallKey, OperationReferences> starts_;
};

void find_meetings(const model::Recording& recording,
                   const std::vector<CallKind>& kinds,
                   EventReferences& references) {
    std::map<CallKey, OperationReferences> starts;
    for (const auto& [key, operations] : references.operations) {
        for (const OperationReferences& operation : operations)
            if (operation.start) starts[*operation.start] = {};
    }
    if (starts.empty()) return;
    Meetings meetings(std::move(starts));
    Members members(recording.execution());
    Matcher matcher(recording, kinds, members, &meetings);
    MergedCalls calls(recording);
    while (const RecordedCall* call = calls.next())
        matcher.feed(*call);
    matcher.match_unresolved();
    matcher.deliver_rest();
    for (const WaveIndex index : matcher.open_waves())
        meetings.take(matcher.wave(index));
    for (auto& [key, operations] : references.operations) {
        for (OperationReferences& operation : operations) {
            if (!operation.start) continue;
            const OperationReferences& met = meetings.starts().at(*operation.start);
            operation.matched = met.matched;
            operation.collective = met.collective;
        }
    }
}

void keep_others(const model::Recording& recording,
                 const RunProfile& profile,
                 EventReferences& references) {
    const std::size_t size = recording.execution().processes.size();
    std::vector<std::set<CallKey>> wanted(size);
    const auto want = [&](const CallKey& key) {
        if (!profile.involved.contains(key)) wanted[std::get<0>(key).index()].insert(key);
    };
    for (const auto& [key, operations] : references.operations) {
        for (const OperationReferences& operation : operations) {
            for (const auto& other : {operation.init, operation.start, operation.finish})
                if (other) want(*other);
            for (const CallKey& other : operation.matched)
                want(other);
        }
    }
    std::vector<std::vector<KeptCall>> kept(size);
    for_each_process(size, [&](ProcessId process) {
        std::set<CallKey>& missing = wanted[process.index()];
        const auto stream = recording.calls(process);
        RecordedCall call;
        while (!missing.empty() && stream->next(call)) {
            if (missing.erase(key_of(call)) == 0) continue;
            const auto& procedure = recording.execution().procedures[call.procedure.index()];
            kept[process.index()].push_back(keep(procedure, call, 0));
        }
    });
    for (std::vector<KeptCall>& of_process : kept) {
        for (KeptCall& call : of_process)
            references.calls.emplace(key_of(call.call), std::move(call));
    }
}

}  // namespace

EventReferences find_event_references(const model::Recording& recording,
                                      const RunProfile& profile) {
    const model::Execution& execution = recording.execution();
    const std::size_t size = execution.processes.size();
    const std::vector<CallKind> kinds = classify_procedures(execution);
    std::vector<std::set<CallKey>> wanted(size);
    for (const auto& [key, call] : profile.involved)
        wanted[std::get<0>(key).index()].insert(key);

    EventReferences references;
    references.open.resize(size);
    std::vector<std::map<CallKey, std::vector<OperationReferences>>> found(size);
    for_each_process(size, [&](ProcessId process) {
        RequestWalk walk(execution, kinds, wanted[process.index()]);
        const auto stream = recording.calls(process);
        RecordedCall call;
        while (stream->next(call))
            walk.feed(call);
        references.open[process.index()] = walk.open();
        found[process.index()] = std::move(walk).take();
    });
    for (auto& of_process : found)
        references.operations.merge(of_process);
    find_meetings(recording, kinds, references);
    keep_others(recording, profile, references);
    return references;
}

}  // namespace mqinspect::analysis

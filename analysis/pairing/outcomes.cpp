#include "analysis/pairing/outcomes.h"

namespace mqinspect::analysis {

using model::RecordedCall;
using model::Role;

namespace {

// Requests count from small numbers on, starts too: together they fit into one key.
std::uint64_t key_of(std::int64_t request, std::uint32_t start) {
    return static_cast<std::uint64_t>(request) << 24 | (start & 0xff'ffffU);
}

}  // namespace

Outcomes::Outcomes(const model::Recording& recording, const std::vector<CallKind>& kinds)
    : recording_(recording), kinds_(kinds), processes_(recording.execution().processes.size()) {
    for (const CallKind& kind : kinds)
        may_cancel_ = may_cancel_ || kind.name == "Cancel";
}

std::optional<Outcome> Outcomes::take(model::ProcessId id,
                                      std::int64_t request,
                                      std::uint32_t start) {
    Process& process = processes_[id.index()];
    if (!process.stream && !process.ended) process.stream = recording_.calls(id);
    const std::uint64_t key = key_of(request, start);
    while (true) {
        if (const Outcome* known = process.known.find(key)) {
            const Outcome outcome = *known;
            process.known.erase(key);
            return outcome;
        }
        if (process.ended) return std::nullopt;
        read_one(process);
    }
}

void Outcomes::read_one(Process& process) {
    RecordedCall call;
    if (!process.stream->next(call)) {
        process.ended = true;
        process.stream.reset();
        give_up_cancelled(process);
        return;
    }
    const CallKind& kind = kinds_[call.procedure.index()];
    const model::Procedure& procedure = recording_.execution().procedures[call.procedure.index()];
    if (kind.action == Action::Complete) {
        for_each_completed(procedure,
                           kind,
                           call,
                           [&](std::int64_t request, const std::int64_t* status, auto, auto) {
                               complete(process, request, status);
                           });
    } else if (kind.action == Action::Start) {
        const auto start = [&](std::int64_t request) {
            if (request < 0) return;
            if (Watched* watched = process.watched.find(static_cast<std::uint64_t>(request)))
                ++watched->starts;
        };
        if (const model::Value* one = model::value_of(procedure, call.before, Role::Request))
            start(one->number);
        if (const model::Value* all = model::value_of(procedure, call.before, Role::Requests)) {
            for (const std::int64_t request : all->list)
                start(request);
        }
    } else {
        read_other(process, call, kind);
    }
}

void Outcomes::read_other(Process& process, const RecordedCall& call, const CallKind& kind) {
    if (kind.action != Action::Free && kind.name != "Cancel") {
        if (!kind.blocking) watch(process, call, kind);
        return;
    }
    const model::Procedure& procedure = recording_.execution().procedures[call.procedure.index()];
    const model::Value* request = model::value_of(procedure, call.before, Role::Request);
    if (request == nullptr || request->number < 0) return;
    const auto id = static_cast<std::uint64_t>(request->number);
    Watched* watched = process.watched.find(id);
    if (watched == nullptr) return;
    if (kind.action != Action::Free) {
        watched->cancelled = true;
        return;
    }
    if (watched->cancelled && watched->starts > 0) {
        process.known[key_of(request->number, watched->starts - 1)] = Outcome{true, 0, 0};
    }
    process.watched.erase(id);
}

void Outcomes::give_up_cancelled(Process& process) {
    process.watched.for_each([&](std::uint64_t request, const Watched& watched) {
        if (!watched.cancelled || watched.starts == 0) return;
        process.known[key_of(static_cast<std::int64_t>(request), watched.starts - 1)] =
            Outcome{true, 0, 0};
    });
}

void Outcomes::watch(Process& process, const RecordedCall& call, const CallKind& kind) {
    const bool receives = kind.action == Action::Receive || kind.action == Action::SendReceive ||
                          kind.action == Action::SendReceiveReplace;
    if (!receives && !(kind.action == Action::Send && may_cancel_)) return;
    const model::Procedure& procedure = recording_.execution().procedures[call.procedure.index()];
    if (!may_cancel_) {
        const model::Value* source = model::value_of(procedure, call.before, Role::Source);
        if (source == nullptr || source->number != model::kAnySource) return;
    }
    const model::Value* request = model::value_of(procedure, call.after, Role::Request);
    if (request == nullptr || request->number < 0) return;
    process.watched[static_cast<std::uint64_t>(request->number)] =
        Watched{kind.persistent ? 0U : 1U, false, kind.persistent};
}

void Outcomes::complete(Process& process, std::int64_t request, const std::int64_t* status) {
    if (request < 0) return;
    Watched* watched = process.watched.find(static_cast<std::uint64_t>(request));
    if (watched == nullptr || watched->starts == 0) return;
    watched->cancelled = false;
    if (status != nullptr) {
        process.known[key_of(request, watched->starts - 1)] =
            Outcome{status[4] == 1, status[0], status[1]};
    }
    if (!watched->persistent) process.watched.erase(static_cast<std::uint64_t>(request));
}

}  // namespace mqinspect::analysis

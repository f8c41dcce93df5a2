#include "analysis/local/probe_races.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::CallClass;
using model::Role;

namespace {

bool receives(BufferRule rule) {
    return rule == BufferRule::Receive || rule == BufferRule::SendReceive ||
           rule == BufferRule::SendReceiveReplace;
}

bool fits(std::int64_t asked, std::int64_t given, std::int64_t wildcard) {
    return asked == given || asked == wildcard;
}

}  // namespace

void ProbeRaces::check(const CallView& view) {
    if (!process_.threads_may_call()) return;
    const bool from_message = view.in(Role::Message) != nullptr;
    if (view.local.procedure->function.call_class == CallClass::Probe ||
        view.name() == "MPI_Iprobe") {
        const bool matched = view.out(Role::Message) != nullptr;
        if (!matched && view.in(Role::Source) != nullptr) probe(view);
    } else if (receives(view.local.buffers) && !view.local.persistent && !from_message) {
        const bool pair = view.in(Role::ReceiveTag) != nullptr;
        receive(view,
                {view.number(Role::Communicator, model::kNullHandle),
                 view.number(Role::Source),
                 view.number(pair ? Role::ReceiveTag : Role::Tag)});
    }
}

void ProbeRaces::probe(const CallView& view) {
    const model::Value* const status = view.out(Role::Status);
    const model::Value* const flag = view.out(Role::Flag);
    if (!view.succeeded() || status == nullptr || status->list.size() < 2) return;
    if (flag != nullptr && flag->number == 0) return;
    Interval begun;
    begun.begin_ns = view.call.enter_ns;
    begun.asked = {view.number(Role::Communicator, model::kNullHandle),
                   view.number(Role::Source),
                   view.number(Role::Tag)};
    begun.probe = begun.receive = site_of(view.call);
    begun.probed = {begun.asked.communicator, status->list[0], status->list[1]};
    compare(view.call.thread, last_[view.call.thread] = begun);
}

void ProbeRaces::receive(const CallView& view, const Envelope& asked) {
    Interval& own = last_[view.call.thread];
    const bool follows = own.probe && !own.is_over &&
                         own.probed.communicator == asked.communicator &&
                         fits(asked.source, own.probed.source, model::kAnySource) &&
                         fits(asked.tag, own.probed.tag, model::kAnyTag);
    if (!follows) {
        own = {};
        own.begin_ns = view.call.enter_ns;
        own.asked = asked;
    }
    own.receive = site_of(view.call);
    own.receive_ns = view.call.enter_ns;
    own.is_over = true;
    if (view.call.leave_event) own.end_ns = view.call.leave_ns;
    if (own.met) report(own, *own.met);
    compare(view.call.thread, own);
}

/// With what the other threads did at the same time.
void ProbeRaces::compare(int thread, Interval& now) {
    for (auto& [other_thread, other] : last_) {
        const bool at_once =
            std::max(now.begin_ns, other.begin_ns) < std::min(now.end_ns, other.end_ns);
        if (other_thread == thread || !at_once) continue;
        if (other.is_over && may_take(other, now)) meet(now, other.receive);
        if (now.is_over && may_take(now, other)) meet(other, now.receive);
    }
}

/// The one who probes may take, when it receives, what it asks for when it probes. A receive that
/// waits already when the other one begins to probe takes the message before that sees it.
bool ProbeRaces::may_take(const Interval& taker, const Interval& owner) {
    return owner.probe && taker.receive_ns > owner.begin_ns &&
           taker.asked.communicator == owner.probed.communicator &&
           fits(taker.asked.source, owner.probed.source, model::kAnySource) &&
           fits(taker.asked.tag, owner.probed.tag, model::kAnyTag);
}

void ProbeRaces::meet(Interval& owner, const CallSite& taker) {
    if (owner.is_over) return report(owner, taker);
    owner.met = taker;
}

void ProbeRaces::report(Interval& owner, const CallSite& taker) {
    if (owner.is_told) return;
    owner.is_told = true;
    Finding* const finding = reporter_.report(FindingClass::MessageRace,
                                              Severity::Warning,
                                              process_.id,
                                              {{*owner.probe, "sees the message"},
                                               {owner.receive, "is to take it"},
                                               {taker, "may take it first"}});
    if (finding == nullptr) return;
    finding->message =
        "One thread probes for a message and then receives it, but another thread may receive it "
        "in between: nothing keeps the two apart. With MPI_Mprobe or MPI_Improbe, and MPI_Mrecv, a "
        "message belongs to the thread that has seen it.";
}

}  // namespace mqinspect::analysis

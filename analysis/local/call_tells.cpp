#include "analysis/local/call_tells.h"

namespace mqinspect::analysis {

namespace {

using model::CallClass;
using model::Role;

bool can_hand_over_nothing(const CallView& view) {
    const CallClass call_class = view.local.procedure->function.call_class;
    if (view.local.requests != RequestAction::None) {
        return view.local.requests == RequestAction::Start ||
               view.local.requests == RequestAction::Startall;
    }
    // MPI_Iprobe and MPI_Improbe are local, and see messages.
    if (view.local.is(Role::Flag)) return false;
    return call_class == CallClass::Local || call_class == CallClass::WindowTarget ||
           call_class == CallClass::WindowTargets || view.local.window == WindowAction::Access ||
           view.local.buffers == BufferRule::Send;
}

}  // namespace

Tells tells(const CallView& view, const CallKind& kind) {
    if (can_hand_over_nothing(view)) return Tells::Nothing;
    const bool recorded = kind.action != Action::None && kind.action != Action::Probe &&
                          kind.action != Action::MatchedProbe && kind.action < Action::WindowPost;
    return recorded ? Tells::WhatIsRecorded : Tells::Anything;
}

bool may_tell_of_completion(const CallView& view) {
    using enum RequestAction;
    const RequestAction requests = view.local.requests;
    if (requests == Free || requests == Cancel) return false;
    const bool window =
        view.local.window != WindowAction::None && view.local.window != WindowAction::Access;
    return window || !can_hand_over_nothing(view) ||
           view.local.procedure->function.mode == model::SendMode::Synchronous;
}

}  // namespace mqinspect::analysis

/// How many looks at a running job it takes until its verdict can be told.
#pragma once

#include <functional>

#include "inspector/session/findings.h"

namespace mqinspect::session {

/// A job that runs on between the looks.
struct Looks {
    std::function<model::JobSnapshot()> observe;
    /// Until what each rank was about to do at the last look must have become visible;
    /// empty: one look is enough.
    std::function<void()> let_run;
};

/// Looks until two looks in a row agree, or three times: ranks that communicate can stand
/// in the way of one look, hardly of all. What is no alarm needs no second look.
///
/// `last`, if there is one: what an earlier look has found. If it was an alarm, it is the
/// first of the two. The result's stopped_ms is that of all looks made here.
Findings look_until_sure(const Looks& looks, const Findings* last);

}  // namespace mqinspect::session

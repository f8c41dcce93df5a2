/// What a call tells its process of what others have done.
#pragma once

#include "analysis/local/procedures.h"
#include "analysis/pairing/call_kind.h"

namespace mqinspect::analysis {

enum class Tells {
    Nothing,
    WhatIsRecorded,  ///< messages and collective operations
    Anything,        ///< files, probes, posts: in a way that the record does not show
};

/// Of locks and flushes: nothing. What they tell comes with what is fetched.
Tells tells(const CallView& view, const CallKind& kind);

/// It may tell, in whatever way, that an operation of the process has been completed by others.
bool may_tell_of_completion(const CallView& view);

}  // namespace mqinspect::analysis

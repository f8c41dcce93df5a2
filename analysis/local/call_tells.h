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

}  // namespace mqinspect::analysis

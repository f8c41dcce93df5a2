/// `mqi_pending` of include/pending_operations.h: what debuggers find of the recorder.
#pragma once

#include "include/pending_operations.h"

#include "tracer/export.h"

MQT_EXPORT mqinspect::pending::Head mqi_pending;

namespace mqinspect::tracer {

/// A call is not recorded: who reads the lists must not take them for whole any more.
inline void pending_is_incomplete() {
    if (mqi_pending.state == pending::State::Recording)
        mqi_pending.state = pending::State::Incomplete;
}

}  // namespace mqinspect::tracer

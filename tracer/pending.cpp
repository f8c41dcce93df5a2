#include "tracer/pending.h"

#include "tracer/handles/requests.h"

namespace {

constexpr mqinspect::pending::Head empty_head() {
    mqinspect::pending::Head head;
    head.request_bytes = sizeof(mqinspect::tracer::RequestInfo);
    return head;
}

}  // namespace

constinit mqinspect::pending::Head mqi_pending = empty_head();

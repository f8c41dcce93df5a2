#include "tracer/stack/guarded.h"

namespace mqinspect::tracer {

namespace {

thread_local constinit Guarded* innermost [[gnu::tls_model("initial-exec")]] = nullptr;

}  // namespace

Guarded::Guarded() : before_(innermost) {
    innermost = this;
}

Guarded::~Guarded() {
    innermost = before_;
}

void Guarded::go_back() {
    if (innermost != nullptr) siglongjmp(innermost->place_, 1);
}

}  // namespace mqinspect::tracer

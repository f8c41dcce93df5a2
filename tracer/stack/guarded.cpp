#include "tracer/stack/guarded.h"

#include <csignal>

namespace mqinspect::tracer {

thread_local constinit AttemptPlace attempt_place = {};
thread_local constinit bool attempts = false;

namespace {

thread_local constinit Guarded* innermost [[gnu::tls_model("initial-exec")]] = nullptr;

}  // namespace

Guarded::Guarded() : before_(innermost) {
    innermost = this;
}

Guarded::~Guarded() {
    innermost = before_;
}

void go_back(const ucontext_t& context) {
    if (innermost != nullptr) siglongjmp(innermost->place(), 1);
    if (!attempts) return;
    pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);
    __builtin_longjmp(attempt_place.words, 1);
}

}  // namespace mqinspect::tracer

#include "tracer/stack/unwind.h"

#include <unwind.h>

#include "tracer/stack/guarded.h"

namespace mqinspect::tracer {

namespace {

struct Unwinding {
    std::uint64_t address;
    std::uint64_t stack_pointer;
    Frame* frames;
    std::size_t most;
    std::size_t count;
    bool inside;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* data) {
    auto& unwinding = *static_cast<Unwinding*>(data);
    const std::uint64_t address = _Unwind_GetIP(context);
    // Of the frame that was called from here: the stack pointer here, behind its return address.
    const std::uint64_t stack_pointer = _Unwind_GetCFA(context);
    if (address == 0) return _URC_END_OF_STACK;
    if (unwinding.inside) {
        if (unwinding.count == unwinding.most || stack_pointer < unwinding.stack_pointer)
            return _URC_END_OF_STACK;
        unwinding.frames[unwinding.count++] = {
            stack_pointer - unwinding.stack_pointer - sizeof(std::uint64_t), address};
    } else if (address == unwinding.address &&
               (unwinding.stack_pointer == 0 || unwinding.stack_pointer == stack_pointer)) {
        unwinding.inside = true;
    }
    return _URC_NO_REASON;
}

}  // namespace

std::size_t unwind(std::uint64_t address,
                   std::uint64_t stack_pointer,
                   Frame* frames,
                   std::size_t most) {
    Unwinding unwinding{address, stack_pointer, frames, most, 0, false};
    Guarded guarded;
    if (MQT_GUARDED(guarded)) _Unwind_Backtrace(visit_frame, &unwinding);
    // Read anew: a fault has come back here with what was found before it.
    return static_cast<volatile Unwinding&>(unwinding).count;
}

}  // namespace mqinspect::tracer

#include "tracer/stack/unwind.h"

#include <unwind.h>

#include <cstring>

#include "tracer/stack/guarded.h"

namespace mqinspect::tracer {

/// Of libgcc, which declares it nowhere.
struct FunctionBases {
    void* text;
    void* data;
    void* function;
};
extern "C" const void* _Unwind_Find_FDE(const void* address, FunctionBases* bases);  // NOLINT

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

namespace {

struct Code {
    const std::uint8_t* begin = nullptr;
    const std::uint8_t* end = nullptr;
};

/// The function that the address is in. From an entry of .eh_frame with relative addresses of
/// four bytes, as everything on x86-64 has it.
Code function_at(std::uint64_t address) {
    struct Entry {
        std::uint32_t bytes;
        std::uint32_t common;
        std::int32_t begin;
        std::uint32_t size;
    };
    FunctionBases bases{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): code
    const void* found = _Unwind_Find_FDE(reinterpret_cast<const void*>(address - 1), &bases);
    if (found == nullptr) return {};
    Entry entry{};
    std::memcpy(&entry, found, sizeof entry);
    const auto begin = reinterpret_cast<std::uint64_t>(found) + offsetof(Entry, begin) +
                       static_cast<std::uint64_t>(std::int64_t{entry.begin});
    if (begin != reinterpret_cast<std::uint64_t>(bases.function)) return {};
    const auto* code = static_cast<const std::uint8_t*>(bases.function);
    return {code, code + entry.size};
}

/// Whether a `ret` may stand here: behind it, the stack pointer is as at the entry.
bool follows_epilogue(const std::uint8_t* begin, const std::uint8_t* ret) {
    constexpr std::uint8_t leave = 0xc9;
    const auto bytes = ret - begin;
    const auto is_pop = [](std::uint8_t byte) { return byte >= 0x58 && byte <= 0x5f; };
    if (bytes >= 1 && (ret[-1] == leave || is_pop(ret[-1]))) return true;
    // add to the stack pointer, by one byte or four
    if (bytes >= 4 && ret[-4] == 0x48 && ret[-3] == 0x83 && ret[-2] == 0xc4) return true;
    return bytes >= 7 && ret[-7] == 0x48 && ret[-6] == 0x81 && ret[-5] == 0xc4;
}

}  // namespace

std::uint64_t begin_of_function(std::uint64_t address) {
    return reinterpret_cast<std::uint64_t>(function_at(address).begin);
}

std::uint64_t end_of_function(std::uint64_t address) {
    constexpr std::uint8_t ret = 0xc3;
    const auto [begin, end] = function_at(address);
    for (const std::uint8_t* at = end; at != begin; --at) {
        if (at[-1] == ret && follows_epilogue(begin, at - 1))
            return reinterpret_cast<std::uint64_t>(at);
    }
    return 0;
}

}  // namespace mqinspect::tracer

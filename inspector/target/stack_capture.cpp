#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "inspector/target/stack.h"

namespace mqinspect::target {
namespace {

// Bytes below the stack pointer that a leaf function may use (x86-64 ABI, 3.2.2).
constexpr std::uint64_t kRedZone = 128;
constexpr std::uint64_t kPageSize = 4096;

}  // namespace

Result<CapturedThread> capture_thread(const ProcessView& view,
                                      const Memory& memory,
                                      pid_t tid,
                                      const user_regs_struct& registers,
                                      std::size_t limit) {
    CapturedThread thread{.tid = tid, .registers = registers, .stack_start = 0, .stack = {}};
    const std::uint64_t pointer = registers.rsp;
    const Mapping* mapping = view.mapping_at(Address{pointer});
    std::uint64_t start = pointer < kRedZone ? 0 : pointer - kRedZone;
    if (mapping != nullptr && mapping->readable) {
        start = std::max(start, mapping->start);
        const std::uint64_t length = std::min<std::uint64_t>(limit, mapping->end - start);
        thread.stack.resize(length);
        if (memory.read(Address{start}, thread.stack)) {
            thread.stack_start = start;
            return thread;
        }
    }
    // The stack has grown since the mappings were read, or a part is gone: page
    // by page, as far as it goes.
    start = pointer;
    thread.stack.clear();
    while (thread.stack.size() < limit) {
        const std::uint64_t at = start + thread.stack.size();
        if (at < start) break;
        const std::size_t length =
            std::min<std::size_t>(kPageSize - at % kPageSize, limit - thread.stack.size());
        const std::size_t before = thread.stack.size();
        thread.stack.resize(before + length);
        const auto got = memory.read(Address{at}, std::span{thread.stack}.subspan(before));
        if (got) continue;
        thread.stack.resize(before);
        if (before == 0) return got.error().in(fmt::format("stack of thread {}", tid));
        break;
    }
    thread.stack_start = start;
    return thread;
}

Result<Done> CapturedMemory::read(Address address, std::span<std::byte> destination) const {
    const std::uint64_t start = to_integer(address);
    if (destination.size() > std::numeric_limits<std::uint64_t>::max() - start)
        return Error{ErrorCode::BadAddress, fmt::format("no memory at {:#x}", start)};
    const std::uint64_t end = start + destination.size();
    const std::uint64_t copy_start = thread_.stack_start;
    const std::uint64_t copy_end = copy_start + thread_.stack.size();
    const std::uint64_t from = std::clamp(start, copy_start, copy_end);
    const std::uint64_t to = std::clamp(end, from, copy_end);
    if (from >= to || from >= end) return rest_.read(address, destination);
    if (from > start) TRY(rest_.read(address, destination.first(from - start)));
    std::copy_n(thread_.stack.begin() + static_cast<std::ptrdiff_t>(from - copy_start),
                to - from,
                destination.begin() + static_cast<std::ptrdiff_t>(from - start));
    if (to < end) TRY(rest_.read(Address{to}, destination.subspan(to - start)));
    return Done{};
}

}  // namespace mqinspect::target

/// Which call stack a call has, in a few nanoseconds.
///
/// A stack is unwound once. It is recognised again without unwinding: the frames of functions
/// have fixed sizes, which the return address determines, so that each return address says where
/// on the stack the next one lies. If the address of the call is the same, and all the places
/// where the unwinding found the callers still hold these callers, the unwinding would go the
/// same way once more. Where a function takes stack space of varying size (alloca, arrays of
/// variable length) its caller lies elsewhere if the size differs, and the comparison fails.
/// On other stacks than the thread's own (coroutines) only the caller itself is looked at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/definitions.h"
#include "tracer/log/memory.h"
#include "tracer/log/site.h"

namespace mqinspect::tracer {

/// Of one thread.
class Sites {
public:
    /// `depth`: how many return addresses a stack has at most.
    bool start(std::size_t depth);

    /// `return_address` and `stack_pointer`: of the call of the procedure, in the program. Null:
    /// out of memory.
    Site* find(DefinitionsFile& definitions,
               const Procedure& procedure,
               std::uint64_t return_address,
               std::uint64_t stack_pointer) {
        for (Site* site = buckets_[bucket_of(procedure, return_address)]; site != nullptr;
             site = site->next) {
            if (site->return_address == return_address && site->procedure == &procedure &&
                same_callers(*site, stack_pointer))
                return site;
        }
        return add(definitions, procedure, return_address, stack_pointer);
    }

    /// Of this thread, not of a coroutine or a signal handler.
    bool is_on_stack(std::uint64_t address) const { return address >= begin_ && address < end_; }

private:
    static constexpr std::size_t kBuckets = 1024;
    static constexpr std::size_t kMostSites = 16384;

    static std::size_t bucket_of(const Procedure& procedure, std::uint64_t return_address) {
        return (return_address ^ (return_address >> 10U) ^ procedure.subscript) % kBuckets;
    }
    bool same_callers(const Site& site, std::uint64_t stack_pointer) const {
        if (site.frame_count == 0) return true;
        if (!is_on_stack(stack_pointer) ||
            site.farthest + sizeof(std::uint64_t) > end_ - stack_pointer)
            return false;
        const auto* stack = reinterpret_cast<const std::uint8_t*>(stack_pointer);
        for (std::size_t i = 0; i < site.frame_count; ++i) {
            const Frame& frame = site.frames[i];
            if (*reinterpret_cast<const std::uint64_t*>(stack + frame.offset) != frame.address)
                return false;
        }
        return true;
    }
    Site* add(DefinitionsFile& definitions,
              const Procedure& procedure,
              std::uint64_t return_address,
              std::uint64_t stack_pointer);
    void forget();
    std::int64_t* values(std::size_t count, std::uint64_t lists);

    Site** buckets_ = nullptr;
    Arena arena_;
    std::size_t count_ = 0;
    std::size_t depth_ = 0;
    std::uint64_t begin_ = 0;  ///< of the thread's stack
    std::uint64_t end_ = 0;
};

}  // namespace mqinspect::tracer

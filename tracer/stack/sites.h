/// Which call stack a call has, in a few nanoseconds.
///
/// A stack is unwound once. It is recognised again without unwinding: the frames of functions
/// have fixed sizes, which the return address determines, so that each return address says where
/// on the stack the next one lies. If the address of the call is the same, and all the places
/// where the unwinding found the callers still hold these callers, the unwinding would go the
/// same way once more. Where a function takes stack space of varying size (alloca, arrays of
/// variable length) its caller lies elsewhere if the size differs, and the comparison fails.
/// Frames behind the one that has called main are always the same.
/// On other stacks than the thread's own (coroutines) only the caller itself is looked at.
/// A stack of the same callers at other places is another site, with another number: records hold
/// what has changed since the last one of their procedure and stack.
/// The stack that the last call from an address had is tried first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/definitions.h"
#include "tracer/log/memory.h"
#include "tracer/log/site.h"
#include "tracer/stack/caller_tree.h"

namespace mqinspect::tracer {

/// A call of a procedure, in the program.
struct Place {
    const Procedure* procedure = nullptr;
    std::uint64_t return_address = 0;
    std::uint64_t stack_pointer = 0;
    bool on_stack = false;  ///< Sites::is_on_stack(stack_pointer)
    /// Of machine code that has many source lines (an interpreter's) one for each; else the
    /// return address.
    std::uint64_t key = 0;
};

/// Of one thread.
class Sites {
public:
    /// `depth`: how many return addresses a stack has at most.
    bool start(std::size_t depth);

    /// Null: out of memory.
    [[gnu::always_inline]] Site* find(DefinitionsFile& definitions, const Place& place) {
        Caller* caller = buckets_[bucket_of(place.key)];
        for (; caller != nullptr; caller = caller->next) {
            if (caller->key != place.key || caller->procedure != place.procedure) continue;
            if (same_callers(*caller->latest, place)) [[likely]]
                return caller->latest;
            break;
        }
        return find_further(definitions,
                            caller,
                            place.procedure,
                            place.return_address,
                            place.stack_pointer,
                            place.key);
    }

    /// Of this thread, not of a coroutine or a signal handler.
    bool is_on_stack(std::uint64_t address) const { return address >= begin_ && address < end_; }

private:
    /// A place to which a procedure returns.
    struct Caller {
        Caller* next = nullptr;  ///< of the same hash
        const Procedure* procedure = nullptr;
        std::uint64_t key = 0;
        Site* latest = nullptr;
        CallerTree sites;
    };

    static constexpr std::size_t kBuckets = 1024;
    static constexpr std::size_t kMostSites = 16384;

    static std::size_t bucket_of(std::uint64_t key) { return (key ^ (key >> 10U)) % kBuckets; }
    [[gnu::always_inline]] bool same_callers(const Site& site, const Place& place) const {
        if (site.frame_count == 0) return true;
        if (!place.on_stack || site.farthest + sizeof(std::uint64_t) > end_ - place.stack_pointer)
            return false;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a place on the stack of this thread
        const auto* stack = reinterpret_cast<const std::uint8_t*>(place.stack_pointer);
        const Frame* const end = site.frames + site.telling_frames;
        for (const Frame* frame = site.frames; frame != end; ++frame) {
            if (*reinterpret_cast<const std::uint64_t*>(stack + frame->offset) != frame->address)
                return false;
        }
        return true;
    }
    /// `caller`: of the place, if it has been called from before. The place in pieces, which stay
    /// in registers.
    [[gnu::cold]] Site* find_further(DefinitionsFile& definitions,
                                     Caller* caller,
                                     const Procedure* procedure,
                                     std::uint64_t return_address,
                                     std::uint64_t stack_pointer,
                                     std::uint64_t key);
    Site* add(DefinitionsFile& definitions, Caller* caller, const Place& place);
    /// The number of the stack for a site of the procedure, which no other site of it has.
    std::uint32_t own_stack(DefinitionsFile& definitions,
                            std::uint32_t procedure,
                            const std::uint64_t* addresses,
                            std::size_t count);
    void keep(Site& site);
    void forget();
    std::int64_t* values(std::size_t count, std::uint64_t lists);

    static std::size_t bucket_of(std::uint32_t procedure, std::uint32_t stack) {
        return (stack ^ (std::size_t{procedure} << 4U)) % kBuckets;
    }

    Caller** buckets_ = nullptr;
    Site** numbered_ = nullptr;  ///< all sites that there have been, by procedure and stack
    Arena arena_;
    std::size_t count_ = 0;
    std::size_t depth_ = 0;
    std::uint64_t begin_ = 0;  ///< of the thread's stack
    std::uint64_t end_ = 0;
};

}  // namespace mqinspect::tracer

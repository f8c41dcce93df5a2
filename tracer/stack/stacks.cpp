#include "tracer/stack/stacks.h"

#include <algorithm>
#include <cstring>

#include "tracer/log/memory.h"
#include "tracer/recorder.h"
#include "tracer/stack/images.h"
#include "tracer/stack/python.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kBuckets = 4096;

struct Stack {
    Stack* next = nullptr;
    const std::uint64_t* addresses = nullptr;
    std::size_t count = 0;
    std::uint32_t id = 0;
};

SpinLock lock;
Arena arena;
Stack* buckets[kBuckets];
std::uint32_t next_id = 0;

std::size_t bucket_of(const std::uint64_t* addresses, std::size_t count) {
    std::uint64_t hash = count;
    for (std::size_t i = 0; i < count; ++i)
        hash = (hash ^ addresses[i]) * 0x9e37'79b9'7f4a'7c15ULL;
    return (hash >> 32U) % kBuckets;
}

/// A stack with the frames of Python, and its code.
struct Interpreted {
    std::uint64_t merged[kMostFrames];
    CodeAddress places[kMostFrames];
    const std::uint64_t* addresses;
    std::size_t count;

    /// Before the lock is taken: it may define images.
    Interpreted(DefinitionsFile& definitions, const std::uint64_t* given, std::size_t given_count)
        : addresses(given), count(std::min(given_count, kMostFrames)) {
        if (python_runs) {
            count = with_python_frames(definitions, addresses, count, merged, kMostFrames);
            addresses = merged;
        }
        for (std::size_t i = 0; i < count; ++i)
            places[i] = code_address(definitions, addresses[i]);
    }

    Interpreted(const Interpreted&) = delete;
    Interpreted& operator=(const Interpreted&) = delete;
    ~Interpreted() = default;

    /// Its new number. The lock is held.
    std::uint32_t define(DefinitionsFile& definitions) const {
        const std::uint32_t id = next_id++;
        Definition definition(definitions, model::DefinitionKind::Stack);
        definition.number(id).length(count);
        for (std::size_t i = 0; i < count; ++i)
            definition.bits(places[i].image).bits(places[i].offset);
        return id;
    }
};

}  // namespace

std::uint32_t stack_id(DefinitionsFile& definitions,
                       const std::uint64_t* addresses,
                       std::size_t count) {
    const Interpreted stack(definitions, addresses, count);
    const Locked locked(lock);
    Stack*& bucket = buckets[bucket_of(stack.addresses, stack.count)];
    for (const Stack* known = bucket; known != nullptr; known = known->next) {
        if (known->count == stack.count &&
            std::equal(stack.addresses, stack.addresses + stack.count, known->addresses))
            return known->id;
    }
    const std::uint32_t id = stack.define(definitions);
    auto* kept = arena.make<Stack>();
    auto* copy = arena.take_array<std::uint64_t>(stack.count);
    if (kept == nullptr || copy == nullptr) return id;
    std::copy(stack.addresses, stack.addresses + stack.count, copy);
    *kept = {bucket, copy, stack.count, id};
    bucket = kept;
    return id;
}

std::uint32_t further_stack_id(DefinitionsFile& definitions,
                               const std::uint64_t* addresses,
                               std::size_t count) {
    const Interpreted stack(definitions, addresses, count);
    const Locked locked(lock);
    return stack.define(definitions);
}

std::uint32_t stack_of_call(std::uint64_t return_address, std::uint64_t stack_pointer) {
    Frame frames[kMostFrames];
    const std::size_t count =
        unwind(return_address, stack_pointer, frames, recorder.options().stack_depth - 1);
    std::uint64_t addresses[kMostFrames + 1] = {return_address};
    for (std::size_t i = 0; i < count; ++i)
        addresses[i + 1] = frames[i].address;
    return stack_id(recorder.definitions(), addresses, count + 1);
}

}  // namespace mqinspect::tracer

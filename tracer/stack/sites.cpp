#include "tracer/stack/sites.h"

#include <pthread.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstring>

#include "tracer/stack/images.h"
#include "tracer/stack/stacks.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

namespace {

/// In the function that the kernel starts a program with.
bool is_in_start(std::uint64_t address) {
    constexpr std::uint64_t longest = 64;
    return address - getauxval(AT_ENTRY) < longest;
}

/// What the C library calls main from is called once, and from nowhere else: how many frames there
/// are up to the one that has called main. Of all other stacks, all.
std::size_t count_telling(DefinitionsFile& definitions, const Frame* frames, std::size_t count) {
    if (count == 0 || !is_in_start(frames[count - 1].address)) return count;
    const std::uint64_t library =
        code_address(definitions, reinterpret_cast<std::uint64_t>(&pthread_create)).image;
    const auto is_library = [&](std::size_t i) {
        return code_address(definitions, frames[i].address).image == library;
    };
    std::size_t telling = count;
    while (telling > 1 && is_library(telling - 2))
        --telling;
    return std::min(telling, count - 1);
}

}  // namespace

bool Sites::start(std::size_t depth) {
    depth_ = std::clamp<std::size_t>(depth, 1, kMostFrames);
    buckets_ = arena_.take_array<Caller*>(kBuckets);
    numbered_ = arena_.take_array<Site*>(kBuckets);
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void* begin = nullptr;
        std::size_t bytes = 0;
        pthread_attr_getstack(&attributes, &begin, &bytes);
        pthread_attr_destroy(&attributes);
        begin_ = reinterpret_cast<std::uint64_t>(begin);
        end_ = begin_ + bytes;
    }
    return buckets_ != nullptr && numbered_ != nullptr;
}

/// A program with endlessly many different stacks, such as of a deep recursion, gets shorter
/// ones, of which there are fewer.
void Sites::forget() {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    std::memset(buckets_, 0, kBuckets * sizeof *buckets_);
    count_ = 0;
    depth_ = std::max<std::size_t>(depth_ / 2, 1);
}

/// Room for the values of a record; null: out of memory.
std::int64_t* Sites::values(std::size_t count, std::uint64_t lists) {
    auto* values = arena_.take_array<std::int64_t>(count);
    for (std::size_t i = 0; values != nullptr && i < count; ++i, lists >>= 1U) {
        if ((lists & 1U) == 0) continue;
        auto* last = arena_.make<LastList>();
        if (last == nullptr) return nullptr;
        values[i] = static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(last));
    }
    return values;
}

Site* Sites::find_further(DefinitionsFile& definitions,
                          Caller* caller,
                          const Procedure* procedure,
                          std::uint64_t return_address,
                          std::uint64_t stack_pointer,
                          std::uint64_t key) {
    const Place place{procedure, return_address, stack_pointer, is_on_stack(stack_pointer), key};
    if (caller != nullptr) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a place on the stack of this thread
        const auto* stack = reinterpret_cast<const std::uint8_t*>(place.stack_pointer);
        Site* site = caller->sites.find(stack, place.on_stack ? end_ - place.stack_pointer : 0);
        if (site != nullptr) return caller->latest = site;
    }
    return add(definitions, caller, place);
}

/// The same callers may lie at other places (alloca), or come again behind forget().
std::uint32_t Sites::own_stack(DefinitionsFile& definitions,
                               std::uint32_t procedure,
                               const std::uint64_t* addresses,
                               std::size_t count) {
    const std::uint32_t stack = stack_id(definitions, addresses, count);
    const Site* site = numbered_[bucket_of(procedure, stack)];
    while (site != nullptr && (site->procedure_id != procedure || site->stack != stack))
        site = site->older;
    return site == nullptr ? stack : further_stack_id(definitions, addresses, count);
}

void Sites::keep(Site& site) {
    Site*& bucket = numbered_[bucket_of(site.procedure_id, site.stack)];
    site.older = bucket;
    bucket = &site;
}

Site* Sites::add(DefinitionsFile& definitions, Caller* caller, const Place& place) {
    if (count_ == kMostSites) {
        forget();
        caller = nullptr;
    }
    const Procedure& procedure = *place.procedure;
    Frame frames[kMostFrames];
    const std::size_t count =
        place.on_stack ? unwind(place.return_address, place.stack_pointer, frames, depth_ - 1) : 0;
    std::uint64_t addresses[kMostFrames + 1] = {place.return_address};
    for (std::size_t i = 0; i < count; ++i)
        addresses[i + 1] = frames[i].address;
    auto* site = arena_.make<Site>();
    if (site == nullptr) return nullptr;
    site->procedure = &procedure;
    site->procedure_id = procedure_id(definitions, procedure);
    site->stack = own_stack(definitions, site->procedure_id, addresses, count + 1);
    site->return_address = place.return_address;
    site->before_enter = values(procedure.in_count, procedure.in_lists);
    site->before_leave = values(procedure.out_count, procedure.out_lists);
    auto* kept = arena_.take_array<Frame>(count);
    if (site->before_enter == nullptr || site->before_leave == nullptr || kept == nullptr)
        return nullptr;
    std::copy(frames, frames + count, kept);
    keep(*site);
    site->frames = kept;
    site->frame_count = static_cast<std::uint32_t>(count);
    site->telling_frames = static_cast<std::uint32_t>(count_telling(definitions, kept, count));
    for (std::size_t i = 0; i < count; ++i)
        site->farthest = std::max(site->farthest, frames[i].offset);
    if (caller == nullptr) {
        caller = arena_.make<Caller>();
        if (caller == nullptr) return nullptr;
        caller->procedure = &procedure;
        caller->key = place.key;
        Caller*& bucket = buckets_[bucket_of(place.key)];
        caller->next = bucket;
        bucket = caller;
    }
    caller->latest = site;
    if (!caller->sites.add(arena_, *site)) return nullptr;
    ++count_;
    return site;
}

}  // namespace mqinspect::tracer

/// Which block of the heap a buffer lies in, as the C library's allocator has it.
///
/// Nothing is kept while the program takes and gives back memory: the blocks of glibc's heap lie
/// one behind the other, each with its length in front (malloc/malloc.c, "Chunks"), so that a walk
/// from the first one finds whose an address is. Blocks that the kernel mapped for themselves
/// begin a page. The heaps of further arenas, of other allocators, and heaps that are too long to
/// be walked are not known.
#pragma once

#include <cstdint>

#include "tracer/log/site.h"

namespace mqinspect::tracer {

struct Thread;

/// In front of an Enter with these values: EventKind::HeapBlock for each of its buffers that has
/// one.
void look_at_heap(Thread& thread, Site& site, const std::int64_t* values);

}  // namespace mqinspect::tracer

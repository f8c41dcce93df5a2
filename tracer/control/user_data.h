/// Data that the program has put under watch; include/mqinspect_trace.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace mqinspect::tracer {

struct Thread;

/// How many pieces are watched: asked for at each call.
extern std::atomic<int> watched_pieces;

/// Notes those that have changed since they were looked at last.
[[gnu::cold]] void look_at_watched(Thread& thread, std::uint32_t stack);

}  // namespace mqinspect::tracer

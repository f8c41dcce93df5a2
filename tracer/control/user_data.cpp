#include "tracer/control/user_data.h"

#include <cstring>

#include "include/mqinspect_trace.h"

#include "tracer/call.h"
#include "tracer/checksum.h"
#include "tracer/event.h"
#include "tracer/export.h"
#include "tracer/stack/stacks.h"

namespace mqinspect::tracer {

std::atomic<int> watched_pieces{0};

namespace {

constexpr std::size_t kMostPieces = 64;
constexpr std::size_t kNameBytes = 64;

struct Piece {
    char name[kNameBytes];
    const void* data;
    std::size_t bytes;
    std::uint32_t checksum;
};

SpinLock lock;
Piece pieces[kMostPieces];

void note(Thread& thread, const Piece& piece, std::int64_t stack) {
    EventPayload payload;
    payload.text(piece.name)
        .bits(reinterpret_cast<std::uint64_t>(piece.data))
        .number(static_cast<std::int64_t>(piece.bytes))
        .number(piece.checksum)
        .number(stack);
    if (!thread.log.busy())
        thread.log.event(model::EventKind::UserData, payload.data(), payload.size());
}

Piece piece_of(const char* name, const void* data, std::size_t bytes) {
    Piece piece{};
    std::strncpy(piece.name, name == nullptr ? "" : name, kNameBytes - 1);
    piece.data = data;
    piece.bytes = bytes;
    piece.checksum = checksum_of_bytes(data, bytes);
    return piece;
}

/// Noted here, and watched from here on if there is room.
void take(const Piece& piece, bool watch, std::uint64_t return_address, std::uint64_t pointer) {
    Thread* thread = recorder.thread();
    if (thread == nullptr) return;
    note(*thread, piece, stack_of_call(return_address, pointer));
    if (!watch) return;
    const Locked locked(lock);
    const int count = watched_pieces.load(std::memory_order_relaxed);
    if (count == kMostPieces) return;
    pieces[count] = piece;
    watched_pieces.store(count + 1, std::memory_order_release);
}

}  // namespace

void look_at_watched(Thread& thread, std::uint32_t stack) {
    const Locked locked(lock);
    for (int i = 0; i < watched_pieces.load(std::memory_order_relaxed); ++i) {
        const std::uint32_t now = checksum_of_bytes(pieces[i].data, pieces[i].bytes);
        if (now == pieces[i].checksum) continue;
        pieces[i].checksum = now;
        note(thread, pieces[i], stack);
    }
}

}  // namespace mqinspect::tracer

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

MQT_EXPORT void mqi_trace_data(const char* name, const void* data, std::size_t bytes) {
    if (data != nullptr) take(piece_of(name, data, bytes), false, MQT_CALLER);
}

MQT_EXPORT void mqi_trace_watch(const char* name, const void* data, std::size_t bytes) {
    if (data != nullptr) take(piece_of(name, data, bytes), true, MQT_CALLER);
}

MQT_EXPORT void mqi_trace_unwatch(const void* data) {
    const Locked locked(lock);
    const int count = watched_pieces.load(std::memory_order_relaxed);
    for (int i = 0; i < count; ++i) {
        if (pieces[i].data != data) continue;
        pieces[i] = pieces[count - 1];
        watched_pieces.store(count - 1, std::memory_order_release);
        return;
    }
}

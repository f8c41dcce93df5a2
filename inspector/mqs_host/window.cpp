#include "inspector/mqs_host/window.h"

#include <optional>

#include "inspector/mqs_host/operation.h"

namespace mqinspect::mqs_host {

namespace {

using model::LockType;
using model::Window;
using model::WindowTarget;
using model::WorldRank;

std::optional<std::uint64_t> number_from(long long number) {
    if (number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

LockType lock_of(int lock) {
    switch (lock) {
        case mqs_lock_shared:
            return LockType::Shared;
        case mqs_lock_exclusive:
            return LockType::Exclusive;
        default:
            return LockType::None;
    }
}

WindowTarget::Lock lock_state_of(int state) {
    switch (state) {
        case mqs_lock_called:
            return WindowTarget::Lock::Called;
        case mqs_lock_requested:
            return WindowTarget::Lock::Requested;
        case mqs_lock_granted:
            return WindowTarget::Lock::Granted;
        default:
            return WindowTarget::Lock::None;
    }
}

model::AccessEpoch access_of(int epoch) {
    switch (epoch) {
        case mqs_epoch_none:
            return model::AccessEpoch::None;
        case mqs_epoch_fence:
            return model::AccessEpoch::Fence;
        case mqs_epoch_start:
            return model::AccessEpoch::Start;
        case mqs_epoch_lock:
            return model::AccessEpoch::Lock;
        case mqs_epoch_lock_all:
            return model::AccessEpoch::LockAll;
        default:
            return model::AccessEpoch::Unknown;
    }
}

model::ExposureEpoch exposure_of(int epoch) {
    if (epoch == mqs_epoch_post) return model::ExposureEpoch::Post;
    const bool none = epoch == mqs_epoch_none || epoch == mqs_epoch_fence;
    return none ? model::ExposureEpoch::None : model::ExposureEpoch::Unknown;
}

model::WindowFlavor flavor_of(int flavor) {
    switch (flavor) {
        case mqs_window_create:
            return model::WindowFlavor::Create;
        case mqs_window_allocate:
            return model::WindowFlavor::Allocate;
        case mqs_window_allocate_shared:
            return model::WindowFlavor::Shared;
        case mqs_window_create_dynamic:
            return model::WindowFlavor::Dynamic;
        default:
            return model::WindowFlavor::Unknown;
    }
}

void add_peer(Window& window, const mqs_window_peer& peer, WorldRank rank) {
    switch (peer.role) {
        case mqs_window_target:
            window.targets.push_back({rank,
                                      lock_state_of(peer.state),
                                      lock_of(peer.lock),
                                      number_from(peer.operations)});
            break;
        case mqs_window_started:
            window.started.push_back(rank);
            break;
        case mqs_window_posted:
            window.posted.push_back(rank);
            break;
        case mqs_window_lock_waiter:
            window.waiters.push_back({rank, lock_of(peer.lock)});
            break;
        case mqs_window_request:
            if (peer.request != 0) window.requests.push_back({rank, peer.request});
            break;
        default:
            break;
    }
}

}  // namespace

Window convert(const HostedWindow& hosted,
               WorldRank rank,
               model::CommunicatorId communicator,
               const std::vector<WorldRank>& members) {
    const mqs_window& from = hosted.window;
    Window window;
    window.rank = rank;
    window.communicator = communicator;
    window.name = printable(from.name);
    window.handle = from.handle;
    window.bytes = number_from(from.size);
    window.flavor = flavor_of(from.flavor);
    window.shared_memory = from.shared_memory != 0;
    window.access = access_of(from.access);
    window.access_granted = from.access_granted != 0;
    window.exposure = exposure_of(from.exposure);
    window.answers_awaited = from.answers_awaited != 0;
    window.posts_received = number_from(from.posts_received);
    window.locks_missing = number_from(from.locks_missing);
    window.lock = lock_of(from.lock);
    window.holders = number_from(from.holders).value_or(0);
    window.completions_missing = number_from(from.completions_missing);
    for (const mqs_window_peer& peer : hosted.peers) {
        const bool member = peer.rank >= 0 && static_cast<std::size_t>(peer.rank) < members.size();
        add_peer(window,
                 peer,
                 member ? members[static_cast<std::size_t>(peer.rank)] : model::kUnknownRank);
    }
    return window;
}

}  // namespace mqinspect::mqs_host

#include "mqs_dll/windows.h"

#include <cstring>

#include "mqs_dll/ch3_windows.h"
#include "mqs_dll/ch4_windows.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

constexpr std::int32_t kExclusive = 234;
constexpr std::int32_t kShared = 235;

constexpr std::size_t kMostWindows = 1 << 16;
constexpr std::size_t kMostPeers = std::size_t{1} << 22;  // of all windows together

}  // namespace

std::uint8_t window_lock_of(std::int32_t type) {
    if (type == kExclusive) return mqs_lock_exclusive;
    return type == kShared ? std::uint8_t{mqs_lock_shared} : std::uint8_t{mqs_lock_none};
}

int window_flavor_of(std::int32_t flavor) {
    constexpr int flavors[] = {mqs_window_unknown,
                               mqs_window_create,
                               mqs_window_allocate,
                               mqs_window_create_dynamic,
                               mqs_window_allocate_shared};
    return flavor >= 0 && flavor < 5 ? flavors[flavor] : int{mqs_window_unknown};
}

void take_window_name(mqs_window& window, const unsigned char* bytes) {
    std::memcpy(window.name, bytes, sizeof window.name - 1);
    window.name[sizeof window.name - 1] = '\0';
    for (char& c : window.name) {
        const auto value = static_cast<unsigned char>(c);
        if (value != 0 && (value < 0x20 || value == 0x7f)) c = '?';
    }
    window.named = window.name[0] != '\0' ? 1 : 0;
    if (window.named != 0) return;
    TextWriter(window.name, sizeof window.name).append("window ").append_handle(window.handle);
}

Status WindowTable::add_peer(const WindowPeer& peer) {
    if (peers_.size() >= kMostPeers) return Status::CorruptData;
    return peers_.push(peer) ? Status::Ok : Status::OutOfMemory;
}

Status WindowTable::add(Window window) {
    if (windows_.size() >= kMostWindows) return Status::CorruptData;
    window.peers = next_peer() - window.first_peer;
    return windows_.push(window) ? Status::Ok : Status::OutOfMemory;
}

void WindowTable::name_communicators(CommunicatorTable& communicators) const {
    for (const Window& window : windows_) {
        const mqs_window& description = window.description;
        char name[64];
        TextWriter text(name, sizeof name);
        if (description.named != 0) text.append("window ");
        text.append(description.name);
        communicators.rename(communicators.find(description.communicator_address), name);
    }
}

void WindowTable::load(const Target& target,
                       const Layout& layout,
                       const Symbols& symbols,
                       const CommunicatorTable& communicators,
                       const RequestTable& requests) {
    if (layout.windows.is_known() && symbols.active_windows != 0 && symbols.inactive_windows != 0) {
        status_ = read_ch3_windows(target, layout, symbols, communicators, requests, *this);
    } else if (layout.ch4_windows.is_known() && layout.has_pools() && symbols.window_mem != 0) {
        status_ = read_ch4_windows(target, layout, symbols, communicators, *this);
    }
}

}  // namespace mqinspect::dll

/// Windows of one-sided communication: what each device keeps of them, in one form.
#pragma once

#include <cstdint>

#include "include/mqs_extensions.h"
#include "mqs_dll/communicators.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/requests.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct WindowPeer {
    std::int32_t rank = -1;        ///< in the window's communicator
    std::int32_t operations = -1;  ///< targets only
    std::uint32_t request = 0;     ///< role mqs_window_request only
    std::uint8_t role = mqs_window_target;
    std::uint8_t lock = mqs_lock_none;
    std::uint8_t state = mqs_lock_unlocked;
};

struct Window {
    mqs_window description{};  ///< without struct_size
    std::uint32_t first_peer = 0;
    std::uint32_t peers = 0;
};

class WindowTable {
public:
    /// NoInformation: the device has no windows that are known, or its types are not known.
    /// A failure keeps what was read before it.
    void load(const Target& target,
              const Layout& layout,
              const Symbols& symbols,
              const CommunicatorTable& communicators,
              const RequestTable& requests);

    /// Communicators that exist for a window are called after it.
    void name_communicators(CommunicatorTable& communicators) const;

    Status status() const { return status_; }
    std::size_t size() const { return windows_.size(); }
    const Window& operator[](std::size_t index) const { return windows_[index]; }
    const WindowPeer& peer(const Window& window, std::uint32_t number) const {
        return peers_[window.first_peer + number];
    }

    /// Where the peers of the window that is read next begin.
    std::uint32_t next_peer() const { return static_cast<std::uint32_t>(peers_.size()); }
    /// CorruptData: there can't be so many.
    Status add_peer(const WindowPeer& peer);
    /// With the peers that were added since its `first_peer`.
    Status add(Window window);

private:
    Status status_ = Status::NoInformation;
    Array<Window> windows_;
    Array<WindowPeer> peers_;
};

/// From MPICH's numbers, the same on all devices: MPI_LOCK_EXCLUSIVE, MPI_WIN_FLAVOR_CREATE.
std::uint8_t window_lock_of(std::int32_t type);
int window_flavor_of(std::int32_t flavor);
/// MPIR_Win.name, 64 bytes; a window without a name is called by its handle.
void take_window_name(mqs_window& window, const unsigned char* bytes);

}  // namespace mqinspect::dll

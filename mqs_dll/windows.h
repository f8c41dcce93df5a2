/// Windows of one-sided communication on device ch3 (mpid_rma_types.h, mpidpre.h).
///
/// All windows of a process are in one of two lists, by whether operations are
/// waiting. A window knows the state of this process as an origin: its epoch, and
/// for each target what is asked for; and as a target: the lock on its own part and
/// the queue of those who wait for it, but not who holds it.
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
    /// Reads both lists. NoInformation: the device is another, or its types are not
    /// known. A failure keeps what was read before it.
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

private:
    friend class WindowReader;

    Status status_ = Status::NoInformation;
    Array<Window> windows_;
    Array<WindowPeer> peers_;
};

}  // namespace mqinspect::dll

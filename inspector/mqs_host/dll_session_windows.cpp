#include <fmt/format.h>

#include "inspector/mqs_host/dll_session.h"

namespace mqinspect::mqs_host {

namespace {

// More than any honest process has.
constexpr std::size_t kMaxWindows = 100'000;
constexpr std::size_t kMaxWindowPeers = std::size_t{1} << 22;

}  // namespace

Result<Done> DllSession::ask_windows(mqs_process& process) {
    if (dll_.setup_window_iterator == nullptr || dll_.next_window == nullptr ||
        dll_.next_window_peer == nullptr) {
        return Done{};
    }
    int code = call(Stage::SetupWindowIterator, dll_.setup_window_iterator, &process);
    if (code != mqs_ok) return Done{};
    for (std::size_t count = 0; count < kMaxWindows; ++count) {
        HostedWindow current;
        current.window.struct_size = sizeof current.window;
        code = call(Stage::NextWindow, dll_.next_window, &process, &current.window);
        if (code == mqs_end_of_list) return Done{};
        if (code != mqs_ok) {
            send_problem(failure(Stage::NextWindow, code).in("windows").message);
            return Done{};
        }
        current.window.name[sizeof current.window.name - 1] = '\0';
        TRY(ask_window_peers(process, current));
        wire::put_window(channel_.writer(), current);
        channel_.flush_if_large();
    }
    return Error{ErrorCode::CorruptData,
                 fmt::format("the DLL lists more than {} windows", kMaxWindows)};
}

Result<Done> DllSession::ask_window_peers(mqs_process& process, HostedWindow& window) {
    while (window_peers_ < kMaxWindowPeers) {
        mqs_window_peer peer{};
        peer.struct_size = sizeof peer;
        const int code = call(Stage::NextWindowPeer, dll_.next_window_peer, &process, &peer);
        if (code == mqs_end_of_list) return Done{};
        if (code != mqs_ok) return failure(Stage::NextWindowPeer, code);
        ++window_peers_;
        window.peers.push_back(peer);
    }
    return Error{ErrorCode::CorruptData,
                 fmt::format("the DLL lists more than {} peers of windows", kMaxWindowPeers)};
}

}  // namespace mqinspect::mqs_host

#include "model/signal.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace mqinspect::model {

std::string signal_name(int number) {
    if (const char* name = sigabbrev_np(number)) return std::string("SIG") + name;
    if (number >= SIGRTMIN && number <= SIGRTMAX) {
        const int offset = number - SIGRTMIN;
        return offset == 0 ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(offset);
    }
    return "signal " + std::to_string(number);
}

bool is_own_doing(const Signal& signal) {
    constexpr std::array<int, 7> from_others = {
        SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM, SIGUSR1, SIGUSR2};
    return !signal.sender_pid &&
           std::find(from_others.begin(), from_others.end(), signal.number) == from_others.end();
}

}  // namespace mqinspect::model

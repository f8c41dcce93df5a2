/// The signal that a rank died of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mqinspect::model {

/// A signal whose action is to end the process: it has done so, or is about to.
struct Signal {
    int number = 0;    ///< as in signal(7)
    std::string name;  ///< "SIGSEGV", as signal_name says it
    /// What the process accessed or executed when the signal tells of a fault
    /// (sigaction(2), si_addr).
    std::optional<std::uint64_t> address;
    /// Another process that sent it; 0: one that has no number here, being of another pid
    /// namespace. Empty if it is the process's own doing (a fault,
    /// abort()), or if that is not known.
    std::optional<int> sender_pid;

    friend bool operator==(const Signal&, const Signal&) = default;
};

/// "SIGSEGV", "SIGRTMIN+1"; "signal 99" for a number that has no name.
std::string signal_name(int number);

/// The signal comes from the process's own code: a fault, abort(), a limit. False for
/// one that another process sent, and for those that only others send (SIGTERM, SIGKILL).
bool is_own_doing(const Signal& signal);

}  // namespace mqinspect::model

// Handlers that the program sets for SIGTRAP while the recorder waits for traps: each main program
// of gfortran does so, perhaps behind the first calls of MPI (coarrays). They come behind ours,
// which must see each trap of a step or a watchpoint: another handler would end the program.
#include <atomic>
#include <csignal>

#include "tracer/control/signals.h"
#include "tracer/export.h"
#include "tracer/next_definition.h"

extern "C" sighandler_t bsd_signal(int, sighandler_t);

namespace {

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
using Signal = sighandler_t (*)(int, sighandler_t);

std::atomic<Sigaction> next_sigaction{nullptr};
std::atomic<Signal> next_signal{nullptr};

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's names
MQT_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
    if (number == SIGTRAP && catches_traps()) return replace_behind_ours(number, action, old);
    return next_function<Sigaction>(next_sigaction, "sigaction", __sigaction)(number, action, old);
}

MQT_EXPORT sighandler_t signal(int number, sighandler_t handler) {
    if (number == SIGTRAP && catches_traps()) {
        struct sigaction action {};
        struct sigaction old {};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        return replace_behind_ours(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
    }
    return next_function<Signal>(next_signal, "signal", bsd_signal)(number, handler);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

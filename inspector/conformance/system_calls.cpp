#include "inspector/conformance/system_calls.h"

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "inspector/mqs_host/sandbox.h"

namespace mqinspect::conformance {

namespace {

// A signal handler writes them: no container.
constexpr int kMostTrapped = 32;
std::array<int, kMostTrapped> trapped;
volatile std::sig_atomic_t trapped_count = 0;

void remember(int /*signal*/, siginfo_t* info, void* context) {
    const int count = trapped_count;
    if (count < kMostTrapped) {
        trapped[static_cast<std::size_t>(count)] = info->si_syscall;
        trapped_count = count + 1;
    }
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
}

}  // namespace

void watch_system_calls() {
    struct sigaction action {};
    action.sa_sigaction = remember;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
}

std::vector<std::string> take_trapped_calls() {
    std::vector<std::string> names;
    for (int i = 0; i < trapped_count; ++i) {
        std::string name = mqs_host::system_call_name(trapped[static_cast<std::size_t>(i)]);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    trapped_count = 0;
    return names;
}

}  // namespace mqinspect::conformance

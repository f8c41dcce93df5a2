/// Times debugger DLLs on one rank, without a helper process between: set-up, an update
/// and all queues of all communicators, as a debugger asks for them.
///
/// Usage: dll_bench PID DLL...      the last is the peer of those before it
#include <malloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "inspector/mqs_host/callbacks.h"
#include "inspector/mqs_host/dll.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "inspector/target/stop.h"

namespace {

using namespace mqinspect;
using Clock = std::chrono::steady_clock;

class CountingMemory final : public target::Memory {
public:
    explicit CountingMemory(const target::Memory& memory) : memory_(memory) {}
    Result<Done> read(target::Address address, std::span<std::byte> destination) const override {
        ++reads;
        return memory_.read(address, destination);
    }
    mutable std::size_t reads = 0;

private:
    const target::Memory& memory_;
};

struct Figures {
    std::string path;
    double seconds = 0;
    std::size_t communicators = 0;
    std::size_t operations = 0;
    std::size_t reads = 0;
    std::size_t bytes = 0;
};

std::size_t allocated() {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

[[noreturn]] void give_up(const std::string& why) {
    fmt::print(stderr, "dll_bench: {}\n", why);
    std::exit(EXIT_FAILURE);
}

void expect_ok(int code, const char* what) {
    if (code != mqs_ok) give_up(fmt::format("{}: code {}", what, code));
}

void read_all(const mqs_host::Dll& dll, mqs_process& process, Figures& figures) {
    expect_ok(dll.update_communicator_list(&process), "mqs_update_communicator_list");
    expect_ok(dll.setup_communicator_iterator(&process), "mqs_setup_communicator_iterator");
    mqs_communicator communicator{};
    while (dll.get_communicator(&process, &communicator) == mqs_ok) {
        ++figures.communicators;
        for (const int queue : {mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages}) {
            if (dll.setup_operation_iterator(&process, queue) != mqs_ok) continue;
            mqs_pending_operation operation{};
            while (dll.next_operation(&process, &operation) == mqs_ok)
                ++figures.operations;
        }
        figures.bytes = std::max(figures.bytes, allocated());
        if (dll.next_communicator(&process) != mqs_ok) break;
    }
}

Figures measure(const std::string& path,
                const target::ProcessView& view,
                const target::Memory& memory) {
    const auto loaded = mqs_host::Dll::load(path);
    if (!loaded) give_up(path + ": " + loaded.error().message);
    const mqs_host::Dll& dll = *loaded;
    const CountingMemory counting(memory);
    mqs_host::HostedProcess hosted;
    hosted.view = &view;
    hosted.memory = &counting;
    mqs_host::Handles handles({&hosted, 1}, [&view](std::size_t, const std::string& name) {
        const auto* type = view.find_type(name);
        return type == nullptr ? nullptr : std::make_unique<target::TypeLayout>(*type);
    });
    mqs_process& process = handles.processes().front();
    char* message = nullptr;
    dll.setup_basic_callbacks(&mqs_host::basic_callbacks());
    expect_ok(dll.setup_image(process.image, &mqs_host::image_callbacks()), "mqs_setup_image");
    expect_ok(dll.image_has_queues(process.image, &message), "mqs_image_has_queues");
    expect_ok(dll.setup_process(&process, &mqs_host::process_callbacks()), "mqs_setup_process");
    expect_ok(dll.process_has_queues(&process, &message), "mqs_process_has_queues");

    Figures figures;
    figures.path = path;
    const std::size_t before = allocated();
    counting.reads = 0;
    const auto start = Clock::now();
    read_all(dll, process, figures);
    figures.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    figures.reads = counting.reads;
    figures.bytes = figures.bytes > before ? figures.bytes - before : 0;
    dll.destroy_process_info(process.info);
    dll.destroy_image_info(process.image->info);
    return figures;
}

Figures best_of(int runs,
                const std::string& path,
                const target::ProcessView& view,
                const target::Memory& memory) {
    Figures best = measure(path, view, memory);
    for (int i = 1; i < runs; ++i) {
        Figures next = measure(path, view, memory);
        if (next.seconds < best.seconds) best = std::move(next);
    }
    return best;
}

void print(const Figures& figures) {
    const auto operations = static_cast<double>(std::max<std::size_t>(figures.operations, 1));
    fmt::print(
        "{}\n  {} operations on {} communicators: {:.1f} ms, {:.4f} reads and {:.0f} bytes "
        "an operation\n",
        figures.path,
        figures.operations,
        figures.communicators,
        figures.seconds * 1000,
        static_cast<double>(figures.reads) / operations,
        static_cast<double>(figures.bytes) / operations);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) give_up("usage: dll_bench PID DLL...");
    const std::string text = argv[1];
    pid_t pid = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), pid).ec != std::errc{}) {
        give_up("no pid: " + text);
    }
    target::ImageStore images("");
    const auto view = target::ProcessView::create(pid, images);
    if (!view) give_up(view.error().message);
    const auto memory = target::LiveMemory::open(pid);
    if (!memory) give_up(memory.error().message);
    const std::array pids{pid};
    const auto stopped = target::StoppedProcesses::stop(pids);
    if (!stopped.threads(0)) give_up(stopped.threads(0).error().message);

    constexpr int runs = 5;
    std::vector<Figures> all;
    for (int i = 2; i < argc; ++i) {
        // The peer may take a minute.
        all.push_back(best_of(i + 1 < argc ? runs : 1, argv[i], *view, **memory));
        print(all.back());
    }
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
        fmt::print("ratio {:.0f}\n", all.back().seconds / all[i].seconds);
    return EXIT_SUCCESS;
}

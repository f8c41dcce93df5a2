/// A debugger with nothing behind it: hosts the DLL in-process and answers its
/// callbacks from tables and a FakeMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "include/mqs_extensions.h"
#include "tests/support/fake_memory.h"

namespace mqinspect::test {

struct StubType {
    int size = 0;
    std::map<std::string, int, std::less<>> fields;
};

/// A job of the debugger, for targets that share it.
struct StubJob {
    mqs_job_info* info = nullptr;

    mqs_job* job() { return reinterpret_cast<mqs_job*>(this); }
};

/// The image and the process of one target; the DLL's handles point to it.
struct StubTarget {
    FakeMemory* memory = nullptr;
    std::map<std::string, StubType, std::less<>> types;
    std::map<std::string, std::uint64_t, std::less<>> symbols;
    int pointer_size = 8;
    /// Answers a type it does not know with one that has no fields.
    bool invents_types = false;
    /// What it says of a symbol that it does not know.
    int unknown_symbol = mqs_no_information;
    bool reverses_bytes = false;
    bool image_is_missing = false;

    StubJob* job = nullptr;

    std::size_t reads = 0;
    std::size_t symbol_lookups = 0;
    mqs_image_info* image_info = nullptr;
    mqs_process_info* process_info = nullptr;
    StubType no_fields;

    mqs_image* image() { return reinterpret_cast<mqs_image*>(this); }
    mqs_process* process() { return reinterpret_cast<mqs_process*>(this); }
};

/// Only one may exist at a time, since the interface has no handle of the debugger.
class StubDebugger {
public:
    StubDebugger();
    ~StubDebugger();
    StubDebugger(const StubDebugger&) = delete;
    StubDebugger& operator=(const StubDebugger&) = delete;

    /// Blocks of the DLL that it has not freed, and their bytes now and at most.
    std::size_t blocks() const;
    std::size_t peak_bytes() const;
    /// The allocation after so many others fails; then they succeed again.
    void fail_allocation_after(std::size_t allocations);
    bool allocation_failed() const;

    static const mqs_basic_callbacks& basic_callbacks();
    const mqs_image_callbacks& image_callbacks() const { return image_callbacks_; }
    const mqs_process_callbacks& process_callbacks() const { return process_callbacks_; }
    mqs_image_callbacks& image_callbacks() { return image_callbacks_; }

    /// The calls of the interface up to the first update; their first result that
    /// is not mqs_ok.
    int set_up(StubTarget& target);
    /// The job of targets that are set up; tear_down of the targets comes first.
    static int set_up(StubJob& job);
    static void tear_down(StubJob& job);
    /// Process first, then image, as a debugger should.
    static void tear_down(StubTarget& target);

private:
    mqs_image_callbacks image_callbacks_{};
    mqs_process_callbacks process_callbacks_{};
};

/// What the iterators say of one queue.
struct SeenQueue {
    int setup = mqs_no_information;
    int end = mqs_no_information;  ///< what ended the iteration
    std::vector<mqs_pending_operation> operations;
    std::vector<mqs_operation_details> details;
};

struct SeenCommunicator {
    mqs_communicator communicator{};
    mqs_comm_details details{};
    std::vector<int> group;           ///< empty: no information
    std::vector<int> remote_group;    ///< likewise
    std::vector<int> active_classes;  ///< of collective operations, enum mqs_comm_class
    SeenQueue sends, receives, messages, collectives;
};

struct SeenWindow {
    mqs_window window{};
    std::vector<mqs_window_peer> peers;
};

struct SeenQueues {
    int world_rank = -1;
    int update = mqs_ok;
    int end = mqs_ok;  ///< what ended the iteration of communicators
    std::vector<SeenCommunicator> communicators;
    int windows_end = mqs_ok;  ///< what ended the iteration of windows
    std::vector<SeenWindow> windows;

    /// The first with the name; fails the test if there is none.
    const SeenCommunicator& named(const std::string& name) const;
};

/// Iterates over the windows of the last update; `end` is what ended it.
std::vector<SeenWindow> look_at_windows(StubTarget& target, int& end);
/// Updates, and iterates over everything.
SeenQueues look(StubTarget& target);

}  // namespace mqinspect::test

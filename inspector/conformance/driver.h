/// Calls the functions of a DLL and checks what comes back. Used in a helper process only.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "inspector/conformance/checks.h"
#include "inspector/conformance/debugger.h"
#include "inspector/mqs_host/dll.h"

namespace mqinspect::conformance {

/// In the word that the helper shares with its parent: the stage, and above it a number
/// that changes with every call.
inline constexpr std::uint32_t kStageBits = 8;

class Driver {
public:
    /// Images and processes of the job get their handles; nothing is called yet.
    Driver(const mqs_host::Dll& dll, Debugger& debugger, std::atomic<std::uint32_t>& word);

    /// One call, watched. A result code is checked by check_code.
    template <class Function, class... Arguments>
    auto call(mqs_host::Stage stage, Function* function, Arguments... arguments) {
        begin(stage);
        const auto end = [this] { finish(); };
        if constexpr (std::is_void_v<decltype(function(arguments...))>) {
            function(arguments...);
            end();
        } else {
            const auto result = function(arguments...);
            end();
            return result;
        }
    }
    /// The same for a function that returns a result code.
    template <class Function, class... Arguments>
    int code(mqs_host::Stage stage, Function* function, Arguments... arguments) {
        const int result = call(stage, function, arguments...);
        check_code(stage, result);
        return result;
    }

    /// mqs_setup_basic_callbacks, and mqs_setup_job for a DLL of level 3.
    void begin_session(bool with_job);
    /// Image, has queues, process, has queues; true if the DLL shows this process. Images
    /// are set up once.
    bool set_up(DebuggedProcess& process);
    bool set_up_image(DebuggedImage& image);
    /// Updates and iterates over everything.
    Look look(DebuggedProcess& process);
    /// Iterates without an update.
    void iterate(DebuggedProcess& process, Look& look);
    /// The communicator at hand with its group and queues.
    SeenCommunicator look_at_communicator(DebuggedProcess& process);
    SeenQueue look_at_queue(DebuggedProcess& process,
                            const SeenCommunicator& communicator,
                            int queue);
    void destroy(DebuggedProcess& process);
    void destroy(DebuggedImage& image);
    /// All processes, then images, then the job.
    void end_session();

    const mqs_host::Dll& dll() const { return dll_; }
    Debugger& debugger() { return debugger_; }
    Journal& journal() { return debugger_.journal(); }
    std::deque<DebuggedProcess>& processes() { return processes_; }
    std::deque<DebuggedImage>& images() { return images_; }
    /// Another handle of the same process, with an image of its own.
    DebuggedProcess& add_twin(const DebuggedProcess& process);

private:
    void begin(mqs_host::Stage stage);
    void finish();
    void check_code(mqs_host::Stage stage, int code);
    void check_message(mqs_host::Stage stage, const char* message);
    void ask_group(DebuggedProcess& process, SeenCommunicator& seen);
    int world_rank(const DebuggedProcess& process) const;

    const mqs_host::Dll& dll_;
    Debugger& debugger_;
    std::atomic<std::uint32_t>& word_;
    std::uint32_t calls_ = 0;
    std::deque<DebuggedImage> images_;
    std::deque<DebuggedProcess> processes_;
    std::vector<std::pair<DebuggedImage*, bool>> set_up_images_;
    bool has_job_ = false;
    long world_size_ = 0;
};

}  // namespace mqinspect::conformance

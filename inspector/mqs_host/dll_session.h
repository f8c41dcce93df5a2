/// One conversation with a DLL: set-up, then the queues of process after process.
/// Used in the helper process only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "inspector/mqs_host/callbacks.h"
#include "inspector/mqs_host/channel.h"
#include "inspector/mqs_host/dll.h"

namespace mqinspect::mqs_host {

/// Calls in the order of MQD 1.0, 4.2. Everything is borrowed.
class DllSession {
public:
    DllSession(Handles& handles,
               Channel& channel,
               std::atomic<std::uint32_t>& stage,
               const HostOptions& options)
        : handles_(handles), channel_(channel), stage_(stage), options_(options) {}

    /// Loads the DLL, checks level and width, sets it up and returns its version
    /// text. Fails with InvalidArgument: this DLL cannot be hosted.
    Result<std::string> start(const std::string& path);

    /// Tells a DLL of level 3 the number of one process; announced by Naming. A
    /// failure is kept for `ask`.
    void name(std::size_t index);
    /// Precondition: start. True: the DLL wants to know all processes before it is
    /// asked about any.
    bool wants_names() const {
        return level_ >= kNewestLevel && dll_.set_process_identity != nullptr;
    }

    /// Sends the queues of one process, from RankBegin to RankDone or RankFailed.
    void ask(std::size_t index);

    /// Lets the DLL free what it hung on images and the job.
    void finish();

private:
    template <class Function, class... Arguments>
    auto call(Stage stage, Function* function, Arguments... arguments) {
        stage_.store(static_cast<std::uint32_t>(stage), std::memory_order_relaxed);
        return function(arguments...);
    }
    /// What a result code means, by mqs_dll_error_string.
    std::string text_of(int code);
    Error failure(Stage stage, int code);

    /// Empty: not known.
    std::optional<std::uint64_t> ask_count(mqs_process& process,
                                           Stage stage,
                                           decltype(&mqs_get_progress_count) function);
    Result<Done> check_compatibility();
    Result<Done> prepare_image(mqs_image& image);
    Result<Done> set_up(mqs_process& process);
    Result<Done> try_set_up(mqs_process& process);
    Result<Done> check_queues(mqs_process& process);
    Result<Done> ask_process(mqs_process& process);
    Result<Done> ask_communicators(mqs_process& process);
    Result<Done> ask_communicator(mqs_process& process);
    void ask_new_processes(mqs_process& process);
    /// The number of the process that the DLL means by a global rank.
    int number_of(const mqs_process& process, long global_rank) const;
    void ask_groups(mqs_process& process, HostedCommunicator& communicator);
    void ask_message_counts(mqs_process& process, HostedCommunicator& communicator);
    /// What `function` fills in, `size` ranks; empty if it has nothing or the size
    /// cannot be true.
    std::vector<int> ask_group(mqs_process& process,
                               Stage stage,
                               decltype(&mqs_get_comm_group) function,
                               long size,
                               std::size_t room);
    Result<Done> ask_queue(mqs_process& process, int queue, const HostedCommunicator& communicator);
    Result<Done> list_queue(mqs_process& process,
                            int queue,
                            const HostedCommunicator& communicator);
    /// What the optional functions say of the operation at hand.
    void ask_details(mqs_process& process, std::size_t comm_size, HostedOperation& operation);
    std::vector<int> ask_peers(mqs_process& process, int direction, std::size_t comm_size);
    Result<Done> ask_windows(mqs_process& process);
    Result<Done> ask_window_peers(mqs_process& process, HostedWindow& window);
    void report_unknown(int queue, const char* communicator, Stage stage, int code);
    void send_problem(const std::string& text);

    Handles& handles_;
    Channel& channel_;
    std::atomic<std::uint32_t>& stage_;
    const HostOptions& options_;
    Dll dll_;
    int level_ = 0;
    // Of the process at hand.
    std::size_t operations_ = 0;
    std::size_t group_ranks_ = 0;
    std::size_t window_peers_ = 0;
};

}  // namespace mqinspect::mqs_host

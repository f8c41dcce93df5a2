/// The process that a debugger DLL runs in.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host {

/// A word that this program shares with its helper: where the helper is, as a
/// Stage. Untrusted, like everything that the helper can write.
class SharedStage {
public:
    static Result<SharedStage> create();
    SharedStage(SharedStage&& other) noexcept;
    SharedStage& operator=(SharedStage&&) = delete;
    SharedStage(const SharedStage&) = delete;
    SharedStage& operator=(const SharedStage&) = delete;
    ~SharedStage();

    std::atomic<std::uint32_t>& word() const { return *word_; }

private:
    explicit SharedStage(std::atomic<std::uint32_t>* word) : word_(word) {}

    std::atomic<std::uint32_t>* word_;
};

/// What a helper does: writes records or lines to the channel, and where it is to the
/// stage. Enters the sandbox before it loads a DLL.
using HelperBody = std::function<void(int channel, std::atomic<std::uint32_t>& stage)>;

/// The processes that a helper is to ask a DLL about. Borrowed; a copy of it is the
/// helper's.
struct Assignment {
    const std::string& path;  ///< of the DLL
    std::span<const HostedProcess> processes;
    /// By process: its queues are known, or never will be.
    const std::vector<bool>& done;
    /// By process: the DLL must not be told of it.
    const std::vector<bool>& unnamed;
    const HostOptions& options;
};

/// A forked helper. It is the leader of a process group of its own and dies with its
/// parent. Killed, reaped and waited for on destruction.
class HelperProcess {
public:
    static Result<HelperProcess> start(const HelperBody& body, const SharedStage& stage);
    /// One that asks the DLL about all processes that are not done, in their order.
    static Result<HelperProcess> start(const Assignment& assignment, const SharedStage& stage);
    HelperProcess(HelperProcess&& other) noexcept;
    HelperProcess& operator=(HelperProcess&&) = delete;
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;
    ~HelperProcess();

    /// Records, both ways.
    int channel() const { return channel_.get(); }
    /// What is printed in it; does not block.
    int output() const { return output_.get(); }

    /// Kills what is left of it and its children, and says how it had ended:
    /// "crashed with SIGSEGV", "ended with exit code 3". Idempotent.
    std::string end();

private:
    HelperProcess(pid_t pid, UniqueFd channel, UniqueFd output)
        : pid_(pid), channel_(std::move(channel)), output_(std::move(output)) {}

    pid_t pid_;
    UniqueFd channel_;
    UniqueFd output_;
    std::string how_it_ended_;
};

}  // namespace mqinspect::mqs_host

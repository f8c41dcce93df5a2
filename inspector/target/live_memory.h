/// The memory of a living process.
#pragma once

#include <sys/types.h>

#include <memory>

#include "base/unique_fd.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

/// Reads with process_vm_readv(2); where that is denied, through the descriptor
/// of /proc/PID/mem opened at construction, whose permission was checked then
/// and which a forked child keeps. Needs no ptrace stop.
class LiveMemory final : public Memory {
public:
    static Result<std::unique_ptr<LiveMemory>> open(pid_t pid);
    Result<Done> read(Address address, std::span<std::byte> destination) const override;

private:
    LiveMemory(pid_t pid, UniqueFd mem) : pid_(pid), mem_(std::move(mem)) {}

    pid_t pid_;
    UniqueFd mem_;
};

}  // namespace mqinspect::target

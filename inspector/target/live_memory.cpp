#include "inspector/target/live_memory.h"

#include <fcntl.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "inspector/target/process_status.h"

namespace mqinspect::target {
namespace {

Error unreadable(std::uint64_t address, std::size_t length, pid_t pid) {
    return {ErrorCode::BadAddress,
            fmt::format("cannot read {} bytes at {:#x} of process {}", length, address, pid)};
}

// Both kinds of read end early where the readable memory ends, and say why only
// when the next read starts there.
Result<Done> pread_all(int fd, pid_t pid, std::uint64_t at, std::span<std::byte> rest) {
    while (!rest.empty()) {
        // The offset is signed; no user address of x86-64 has the top bit set.
        if (at > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()))
            return unreadable(at, rest.size(), pid);
        const ssize_t got = ::pread(fd, rest.data(), rest.size(), static_cast<off_t>(at));
        if (got == 0) return exited_error(pid);  // its memory is gone
        if (got < 0) {
            if (errno == EINTR) continue;
            return unreadable(at, rest.size(), pid);
        }
        at += static_cast<std::uint64_t>(got);
        rest = rest.subspan(static_cast<std::size_t>(got));
    }
    return Done{};
}

}  // namespace

Result<std::unique_ptr<LiveMemory>> LiveMemory::open(pid_t pid) {
    UniqueFd mem{::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC)};
    if (!mem) {
        if (errno == ENOENT || errno == ESRCH) return exited_error(pid);
        if (errno == EACCES || errno == EPERM) return denied_error(pid);
        return Error{
            ErrorCode::System,
            fmt::format("cannot open the memory of process {}: {}", pid, std::strerror(errno))};
    }
    // A zombie and a kernel thread open without complaint.
    const auto status = read_process_status(pid);
    if (!status) return status.error();
    if (status->ended() || status->kernel_thread) return denied_error(pid);
    return std::unique_ptr<LiveMemory>(new LiveMemory(pid, std::move(mem)));
}

Result<Done> LiveMemory::read(Address address, std::span<std::byte> destination) const {
    std::uint64_t at = to_integer(address);
    std::span<std::byte> rest = destination;
    if (rest.empty()) return Done{};
    if (at > std::numeric_limits<std::uint64_t>::max() - rest.size())
        return unreadable(at, rest.size(), pid_);
    while (!rest.empty()) {
        const iovec local{rest.data(), rest.size()};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the target, never used here
        const iovec remote{reinterpret_cast<void*>(at), rest.size()};
        const ssize_t got = process_vm_readv(pid_, &local, 1, &remote, 1, 0);
        if (got > 0) {
            at += static_cast<std::uint64_t>(got);
            rest = rest.subspan(static_cast<std::size_t>(got));
            continue;
        }
        if (got < 0 && errno == ESRCH) return exited_error(pid_);
        if (got < 0 && (errno == EPERM || errno == ENOSYS))
            return pread_all(mem_.get(), pid_, at, rest);
        return unreadable(at, rest.size(), pid_);
    }
    return Done{};
}

}  // namespace mqinspect::target

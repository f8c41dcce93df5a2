/// Core files that tests write: of processes that need not have been.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mqinspect::testing {

struct CoreThreadStatus {
    pid_t tid = 0;
    int signal = 0;
    std::uint64_t rip = 0;
    std::uint64_t rsp = 0;
};

/// Lays a core file out as Linux does: header, program headers, notes, memory.
class CoreBuilder {
public:
    void add_thread(const CoreThreadStatus& status);
    /// NT_SIGINFO of the thread before: `code` as in sigaction(2); the fault's address, or
    /// the sender's pid where the code is not positive.
    void add_signal(int number, int code, std::uint64_t address_or_pid);
    /// NT_PRPSINFO.
    void set_pid(pid_t pid) { pid_ = pid; }
    void add_file(std::uint64_t start, std::uint64_t end, std::uint64_t page, std::string path);
    /// `memory_bytes` may be more than is stored.
    void add_memory(std::uint64_t address,
                    std::vector<std::byte> stored,
                    std::uint64_t memory_bytes);
    /// The initial stack, with NAME=VALUE strings, and the auxiliary vector to find it by.
    /// `entry` is AT_ENTRY.
    void add_environment(const std::vector<std::string>& variables, std::uint64_t entry);
    /// A note of any kind, with sizes that need not be true.
    void add_note(std::uint32_t type, std::vector<std::byte> content, std::uint32_t said_bytes);

    std::vector<std::byte> bytes() const;

private:
    struct Segment {
        std::uint64_t address = 0;
        std::uint64_t memory_bytes = 0;
        std::vector<std::byte> stored;
    };
    struct MappedFile {
        std::uint64_t start, end, page;
        std::string path;
    };

    std::vector<std::byte> notes() const;

    pid_t pid_ = 0;
    std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> thread_notes_;
    std::vector<std::byte> other_notes_;
    std::vector<std::byte> auxiliary_;
    std::vector<MappedFile> files_;
    std::vector<Segment> segments_;
};

}  // namespace mqinspect::testing

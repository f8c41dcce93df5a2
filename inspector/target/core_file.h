/// A core file: the memory, threads and last signal of a process that is no more, or of
/// one that a debugger has copied (gcore).
///
/// The format: core(5), elf(5), and the notes as Linux (fs/binfmt_elf.c) and gdb write
/// them. A file may be cut, damaged or hostile: all that it says is checked.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/memory.h"
#include "inspector/target/stop.h"
#include "model/signal.h"

namespace mqinspect::target {

/// A PT_LOAD segment: a stretch of memory, of which the file may hold less.
struct CoreSegment {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0;
    std::uint64_t stored = 0;  ///< bytes from `start` on that the file holds
    bool readable = false;
    bool executable = false;
};

/// An entry of NT_FILE: a mapped file.
struct CoreMappedFile {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  ///< in the file, bytes
    std::string path;
};

/// Its bytes are mapped, not read. Memory that is only in mapped files is not here, see
/// core_process.h.
class CoreFile final : public Memory {
public:
    /// gzip, xz and bzip2 are unpacked in memory. Fails with one clear line: System (it
    /// cannot be opened), CorruptData (no core file of an x86-64 process; packed in a way
    /// that must be unpacked first, and how; without threads).
    static Result<std::unique_ptr<CoreFile>> open(const std::filesystem::path& path);
    /// The same of bytes that outlive the result; `name` is for messages.
    static Result<std::unique_ptr<CoreFile>> from_bytes(std::span<std::byte> bytes,
                                                        std::string name);
    CoreFile(const CoreFile&) = delete;
    CoreFile& operator=(const CoreFile&) = delete;
    ~CoreFile() override;

    const std::string& name() const { return name_; }
    pid_t pid() const { return pid_; }
    /// At least one. Where there is a signal, the first is the thread that received it.
    const std::vector<StoppedThread>& threads() const { return threads_; }
    /// What the process died of; empty for a copy of a living process.
    const std::optional<model::Signal>& signal() const { return signal_; }
    /// Ascending, without overlaps.
    const std::vector<CoreSegment>& segments() const { return segments_; }
    /// Ascending, without overlaps.
    const std::vector<CoreMappedFile>& files() const { return files_; }
    /// An entry of the auxiliary vector (getauxval(3)), by its AT_ number.
    std::optional<std::uint64_t> auxiliary(std::uint64_t type) const;
    /// As execve(2) laid it out, like /proc/PID/environ; empty if it is not in the file.
    std::string environment() const;
    /// Bytes that the file should hold and does not: it was cut.
    std::uint64_t missing_bytes() const { return missing_bytes_; }

    /// BadAddress where the file does not hold all of it.
    Result<Done> read(Address address, std::span<std::byte> destination) const override;

private:
    struct Storage;
    CoreFile(std::string name, std::span<std::byte> bytes);

    Result<Done> parse();
    void add_segment(std::uint64_t start,
                     std::uint64_t memory_size,
                     std::uint64_t file_offset,
                     std::uint64_t file_size,
                     std::uint32_t flags);
    void sort_segments();
    void read_notes(std::span<const std::byte> notes);
    void read_status(std::span<const std::byte> content);
    void read_files(std::span<const std::byte> content);
    void read_signal(std::span<const std::byte> content);
    void read_auxiliary_vector(std::span<const std::byte> content);
    std::optional<std::uint64_t> find_auxiliary_vector(std::uint64_t below) const;

    std::string name_;
    std::span<std::byte> bytes_;
    std::unique_ptr<Storage> storage_;
    pid_t pid_ = 0;
    int first_signal_ = 0;  ///< of the first thread's status
    bool by_debugger_ = false;
    std::vector<StoppedThread> threads_;
    std::optional<model::Signal> signal_;
    std::vector<CoreSegment> segments_;
    std::vector<CoreMappedFile> files_;
    std::vector<std::byte> auxiliary_;
    std::uint64_t missing_bytes_ = 0;
};

}  // namespace mqinspect::target

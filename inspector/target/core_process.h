/// A core file together with the files that its process had loaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/core_file.h"
#include "inspector/target/memory.h"
#include "inspector/target/process_view.h"

namespace mqinspect::target {

/// What cores leave out: code and constants, which are as in the files that were mapped.
struct MappedBytes {
    std::uint64_t start = 0;  ///< in the process
    std::span<const std::byte> bytes;
};

/// The memory of a core, and below it that of the files. Borrows both.
class CoreMemory final : public Memory {
public:
    /// `files` are in ascending order and do not overlap.
    CoreMemory(const CoreFile& core, std::vector<MappedBytes> files)
        : core_(core), files_(std::move(files)) {}
    Result<Done> read(Address address, std::span<std::byte> destination) const override;

private:
    std::span<const std::byte> file_bytes(std::uint64_t address) const;

    const CoreFile& core_;
    std::vector<MappedBytes> files_;
};

struct CoreProcess {
    std::unique_ptr<CoreFile> core;
    ProcessView view;
    std::unique_ptr<CoreMemory> memory;  ///< borrows `core` and the images
    /// The executable that was asked for is the one that ran.
    bool is_of_executable = false;
    /// The path that the process had loaded its program from.
    std::string program;
    /// One line each: files that are missing or are not those that were loaded.
    std::vector<std::string> problems;
};

/// Opens the core at `path`. The program is `executable` if it is the file that ran, as
/// far as build-ids tell, else the file of the name that the core has; libraries are
/// those of the names that the core has. A file with another build-id is not used.
/// Fails as CoreFile::open.
Result<CoreProcess> open_core(const std::filesystem::path& path,
                              const std::filesystem::path& executable,
                              ImageStore& images);

}  // namespace mqinspect::target

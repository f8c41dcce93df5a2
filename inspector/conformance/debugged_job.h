/// The job that a DLL is driven against: processes that live, or a recording of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspector/target/image.h"

namespace mqinspect::conformance {

/// What is known of a question; `recorded` is false if a recording does not hold it.
template <class T>
struct Answer {
    std::optional<T> value;
    bool recorded = true;
};

class DebuggedJob {
public:
    struct Process {
        int rank = 0;           ///< in MPI_COMM_WORLD
        std::size_t image = 0;  ///< the files it has loaded and where
    };

    DebuggedJob() = default;
    DebuggedJob(const DebuggedJob&) = delete;
    DebuggedJob& operator=(const DebuggedJob&) = delete;
    virtual ~DebuggedJob() = default;

    const std::vector<Process>& processes() const { return processes_; }
    std::size_t images() const { return images_; }

    virtual Answer<std::uint64_t> find_symbol(std::size_t image, std::string_view name) const = 0;
    /// The layout lives as long as the job.
    virtual Answer<const target::TypeLayout*> find_type(std::size_t image,
                                                        std::string_view name) const = 0;
    /// All of the bytes or none; has a value if they could be read.
    virtual Answer<bool> read(std::size_t process,
                              std::uint64_t address,
                              std::span<std::byte> destination) const = 0;

protected:
    std::vector<Process> processes_;
    std::size_t images_ = 0;
};

inline constexpr std::uint64_t kPageBytes = 4096;

}  // namespace mqinspect::conformance

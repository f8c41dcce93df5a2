/// What a DLL asked of a job, and the answers, so that they can be had without the job.
///
/// The format is in docs/formats.md. Memory is kept in whole pages, so that a DLL may ask
/// in another order, or for more, than the one that the job was recorded with.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inspector/conformance/debugged_job.h"

namespace mqinspect::conformance {

/// Questions, by image or process.
struct Questions {
    std::set<std::pair<std::size_t, std::string>> symbols;
    std::set<std::pair<std::size_t, std::string>> types;
    std::set<std::pair<std::size_t, std::uint64_t>> pages;  ///< addresses of pages
};

struct Recording {
    using Page = std::vector<std::byte>;

    struct Image {
        std::map<std::string, std::optional<std::uint64_t>, std::less<>> symbols;
        std::map<std::string, std::optional<target::TypeLayout>, std::less<>> types;
    };
    struct Process {
        int rank = 0;
        std::size_t image = 0;
        std::map<std::uint64_t, Page> pages;  ///< empty: unreadable
    };

    std::vector<Image> images;
    std::vector<Process> processes;
};

/// Asks the job all that was asked.
Recording record(const DebuggedJob& job, const Questions& questions);

std::string write_recording(const Recording& recording);
/// "line N: what is wrong" with CorruptData.
Result<Recording> parse_recording(const std::string& text);

/// A job that answers from a recording.
std::unique_ptr<DebuggedJob> replay(Recording recording);

}  // namespace mqinspect::conformance

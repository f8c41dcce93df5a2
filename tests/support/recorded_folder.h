/// A folder for recorded runs, and what is read from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/execution.h"

namespace mqinspect::testing {

/// A new empty folder, which goes with the object.
class RecordedFolder {
public:
    RecordedFolder();
    ~RecordedFolder();
    RecordedFolder(const RecordedFolder&) = delete;
    RecordedFolder& operator=(const RecordedFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void write(std::string_view name, const std::vector<std::uint8_t>& bytes) const;
    std::vector<std::uint8_t> read(std::string_view name) const;

private:
    std::filesystem::path path_;
};

/// A call with all that its spans show.
struct KeptCall {
    model::RecordedCall call;  ///< its spans are not valid
    std::string procedure;
    std::vector<std::int64_t> before;  ///< numbers, and of lists the elements in their place
    std::vector<std::int64_t> after;
};

std::vector<KeptCall> all_calls(const model::Recording& recording, int process);

}  // namespace mqinspect::testing

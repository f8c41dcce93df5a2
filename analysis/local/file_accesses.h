/// The accesses to one file, and which of them conflict.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/active_buffers.h"
#include "analysis/local/reporter.h"
#include "analysis/replay/run_clocks.h"

namespace mqinspect::analysis {

struct FileAccess {
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    model::ProcessId process;
    CallSite site;
    std::int64_t file = -1;  ///< that one MPI_File_open has opened
    bool writes = false;
    bool atomic = false;
    Footprint bytes;
    std::int64_t checksum = 0;  ///< of what it writes; 0: not known
    // Events of its process, who knows of which knows that this is over, or that the file has been
    // synchronised since.
    std::uint64_t completed = kNever;
    std::uint64_t synchronised = kNever;
    /// What its process knew when it was made, and when it synchronised the file before.
    std::shared_ptr<const Clock> known;
    std::shared_ptr<const Clock> visible;
    std::uint64_t synchronised_before = 0;  ///< event of that
};

/// In the order in which they are made, as far as one process knows of another.
class FileAccesses {
public:
    using Slot = ActiveSlot;
    using Report = std::function<void(const FileAccess& earlier)>;
    static constexpr std::size_t kMost = 1 << 18;

    /// Calls `report` for each that conflicts with it, and gives its place; kNoSlot: there are too
    /// many accesses, or too much is to be compared. Two that write the same data to the same bytes
    /// do not conflict: the file has them either way.
    Slot add(FileAccess made, const Report& report);
    FileAccess& at(Slot slot) { return accesses_[slot]; }

    bool is_long() const { return live_ >= next_cleaning_; }
    /// Forgets those that `is_over` says nobody needs to know of any more.
    void clean(const std::function<bool(const FileAccess&)>& is_over);

private:
    static bool conflict(const FileAccess& earlier, const FileAccess& made);
    static bool conflict_of_one(const FileAccess& earlier, const FileAccess& made);

    ActiveBuffers ranges_;
    std::vector<FileAccess> accesses_;  ///< by their place in `ranges_`
    std::vector<bool> used_;
    std::size_t live_ = 0;
    std::size_t next_cleaning_ = 1024;
    std::int64_t comparisons_ = 0;
};

}  // namespace mqinspect::analysis

/// Which bytes of a file the accesses of a process go to (MPI 4.0, 14.3 and 14.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// What a process sees of a file that it has opened.
class FileView {
public:
    /// As MPI_File_open has left it.
    FileView(const model::Execution& execution, const CallView& open);

    /// MPI_File_set_view and MPI_File_seek; other calls change nothing.
    void update(const CallView& view);

    /// Of a call that reads or writes; moves the individual file pointer. What cannot be told for
    /// certain is left out: bytes behind a view that is not known, accesses by shared file
    /// pointers, parts of file types with several loops.
    Footprint take(const CallView& view, Footprints& footprints);

    /// It shows other bytes than the other one, or their places are counted in other units.
    bool differs_from(const FileView& other, Footprints& footprints) const;
    /// How often MPI_File_set_view has set it: that is a collective call.
    std::uint64_t times_set() const { return times_set_; }
    /// The last time; empty: never.
    const std::optional<CallSite>& set_by() const { return set_by_; }

private:
    /// What one file type shows.
    struct Hull {
        ByteRange bytes;
        std::int64_t size = 0;
        std::int64_t extent = 0;
    };

    std::optional<Hull> hull(Footprints& footprints) const;
    void set_view(const CallView& view);
    void seek(const CallView& view);
    /// Bytes of the data that the view shows, from `begin` up to `end`.
    Footprint bytes(std::int64_t begin, std::int64_t end, Footprints& footprints) const;

    const model::Execution& execution_;
    bool known_ = true;
    std::int64_t displacement_ = 0;
    std::int64_t unit_ = 1;                ///< bytes of an elementary type
    model::DatatypeId type_{-1};           ///< of the file; -1: bytes
    std::optional<std::int64_t> pointer_;  ///< the individual one, in units; empty: not known
    std::uint64_t times_set_ = 0;
    std::optional<CallSite> set_by_;
};

/// MPI_File_write_shared, MPI_File_read_ordered and their kin.
bool uses_shared_pointer(std::string_view procedure);

/// The smallest range around it.
ByteRange hull_of(const Footprint& footprint);

}  // namespace mqinspect::analysis

/// Which bytes of a file the accesses of a process go to (MPI 4.0, 14.3 and 14.4).
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/procedures.h"
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

private:
    void set_view(const CallView& view);
    void seek(const CallView& view);
    /// Bytes of the data that the view shows, from `begin` up to `end`.
    Footprint bytes(std::int64_t begin, std::int64_t end, Footprints& footprints) const;
    const model::RecordedDatatype* datatype(std::int64_t id) const;

    const model::Execution& execution_;
    bool known_ = true;
    std::int64_t displacement_ = 0;
    std::int64_t unit_ = 1;                ///< bytes of an elementary type
    model::DatatypeId type_{-1};           ///< of the file; -1: bytes
    std::optional<std::int64_t> pointer_;  ///< the individual one, in units; empty: not known
};

/// The smallest range around it.
ByteRange hull_of(const Footprint& footprint);

}  // namespace mqinspect::analysis

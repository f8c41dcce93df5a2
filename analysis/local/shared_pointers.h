/// Shared file pointers: all processes that use one must have set the same view (MPI 4.0, 14.4.4).
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "analysis/local/file_view.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The accesses of all processes to all files. The arguments of the constructor must outlive it.
class SharedPointers {
public:
    SharedPointers(const model::Execution& execution, Footprints& footprints, Reporter& reporter)
        : execution_(execution), footprints_(footprints), reporter_(reporter) {}

    /// An access by the shared pointer of a file, with the view that its process has.
    void check(const CallView& view, std::int64_t file, const FileView& seen);

private:
    /// The first access of all under one view.
    struct First {
        model::ProcessId process;
        FileView seen;
    };

    void report(const CallView& view, const FileView& seen, const First& first);

    const model::Execution& execution_;
    Footprints& footprints_;
    Reporter& reporter_;
    std::map<std::pair<std::int64_t, std::uint64_t>, First> first_;  ///< by file, times_set()
};

}  // namespace mqinspect::analysis

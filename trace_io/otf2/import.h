/// An OTF2 archive, of mqinspect or of another tool, as a recorded run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/execution.h"
#include "model/job_snapshot.h"

namespace mqinspect::trace_io {

/// What an archive holds: messages, completions, collective operations, communicators and windows;
/// docs/formats.md lists which record becomes what. The calls that are about other things, or of
/// which records are missing, have names without "MPI_", so that nothing is concluded from
/// parameters that are not there.
class ImportedArchive {
public:
    /// Owns the folder from now on.
    explicit ImportedArchive(std::string folder);
    ImportedArchive(const ImportedArchive&) = delete;
    ImportedArchive& operator=(const ImportedArchive&) = delete;
    /// Removes what was written for it.
    ~ImportedArchive();

    void take(std::unique_ptr<model::Recording> recording,
              std::vector<std::vector<model::Frame>> stacks);
    const model::Recording& recording() const { return *recording_; }
    /// The user's code, by StackId, innermost first.
    const std::vector<std::vector<model::Frame>>& stacks() const { return stacks_; }

private:
    std::string folder_;
    std::unique_ptr<model::Recording> recording_;
    std::vector<std::vector<model::Frame>> stacks_;
};

/// True for a file named like an archive's anchor, "traces.otf2".
bool is_otf2_archive(const std::string& path);

/// Reads it in a process of its own, into a folder for temporary files: the OTF2 library crashes on
/// damaged archives. One line says what is wrong where it cannot be read.
Result<std::unique_ptr<ImportedArchive>> import_otf2(const std::string& anchor);

}  // namespace mqinspect::trace_io

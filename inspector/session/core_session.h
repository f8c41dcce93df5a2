/// A look at what is left of a job: its core files.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.h"
#include "inspector/session/session.h"
#include "inspector/snapshot/observer.h"

namespace mqinspect::session {

/// One look, as at a job that stands still: the cores of processes that were not stopped
/// at the same moment, such as copies of a job that runs on, can show what never was.
/// Fails as job::find_core_job and Observer::prepare.
Result<Findings> look_at_cores(const std::filesystem::path& executable,
                               std::span<const std::filesystem::path> cores,
                               snapshot::ObserverOptions options);

}  // namespace mqinspect::session

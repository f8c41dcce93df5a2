/// What one look at a job has shown.
#pragma once

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::session {

/// A snapshot and what it means.
struct Findings {
    model::JobSnapshot snapshot;
    analysis::Verdict verdict;
};

}  // namespace mqinspect::session

/// The words that machine-readable formats use for the model's enumerators
/// (docs/formats.md). They never change.
#pragma once

#include <string_view>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

std::string_view name_of(model::RankState state);
std::string_view name_of(analysis::VerdictKind kind);
std::string_view name_of(model::Queue queue);
std::string_view name_of(model::OperationState state);
/// Empty for Unknown.
std::string_view name_of(model::SendMode mode);
/// Empty for Unknown.
std::string_view name_of(model::Protocol protocol);

}  // namespace mqinspect::report

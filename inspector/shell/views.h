/// Tables that the shell shows of a snapshot and its verdict.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "inspector/session/session.h"
#include "model/job_snapshot.h"
#include "report/page.h"

namespace mqinspect::shell {

/// A row for each of these ranks that is in this state, if one is given.
void print_ranks(report::Page& page,
                 const model::JobSnapshot& snapshot,
                 std::span<const model::WorldRank> ranks,
                 std::optional<model::RankState> state);

/// A row for each communicator.
void print_communicators(report::Page& page, const model::JobSnapshot& snapshot);

/// Who is who in one communicator.
void print_members(report::Page& page,
                   const model::JobSnapshot& snapshot,
                   const model::Communicator& communicator);

/// The waits of these ranks; ranks that wait alike share a row.
void print_waits(report::Page& page,
                 const session::Findings& findings,
                 std::span<const model::WorldRank> ranks);

/// From a rank along what it waits for, to what explains it.
void print_why(report::Page& page, const session::Findings& findings, model::WorldRank rank);

}  // namespace mqinspect::shell

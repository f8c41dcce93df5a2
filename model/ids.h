/// Whose number is it? The strong integers of the model.
#pragma once

#include "base/strong_int.h"

namespace mqinspect::model {

/// A rank in MPI_COMM_WORLD of the job: the name of a process everywhere above
/// the MPI library. In a job of several worlds the numbers run on through them
/// (worlds.h). kUnknownRank: a process that is in no known world.
using WorldRank = StrongInt<struct WorldRankTag>;

/// A rank in the communicator at hand.
using CommRank = StrongInt<struct CommRankTag>;

/// The subscript of a communicator in JobSnapshot::communicators.
using CommunicatorId = StrongInt<struct CommunicatorIdTag>;

inline constexpr WorldRank kUnknownRank{-1};

}  // namespace mqinspect::model

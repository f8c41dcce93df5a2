/// What counted messages say of the operations that a recorder lists.
///
/// A recorder learns that an operation is complete when its program does: a receive whose
/// message has come long ago is listed until it is waited for, and a message that was sent by a
/// call that has returned is listed nowhere. Both sides have counted the messages between them,
/// and summed up their tags. What was sent and not received is compared with what is listed.
#pragma once

#include <span>
#include <vector>

#include "inspector/mqs_host/mqs_host.h"
#include "model/job_snapshot.h"

namespace mqinspect::mqs_host {

/// What one rank has counted on one communicator.
struct CountedCommunicator {
    model::WorldRank rank;
    model::CommunicatorId communicator;
    Counted counted = Counted::No;
    std::span<const mqs_message_counts> counts;
};

/// Sends whose messages were received become complete. Messages that were sent and not received,
/// by calls that have returned, are added as pending eager sends of their senders; where it cannot
/// be told which there are, as doubtful ones. A send in standard or ready mode of up to 128 KiB
/// that is not the only operation of its rank counts as eager. Operations stay in the order of
/// ranks and communicators. Communicators that nobody has counted on are left alone.
void settle(std::span<const CountedCommunicator> counted, model::JobSnapshot& snapshot);

}  // namespace mqinspect::mqs_host

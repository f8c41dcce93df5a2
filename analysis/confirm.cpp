#include "analysis/confirm.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::Call;
using model::Operation;
using model::Queue;

namespace {

// Subscripts of operations differ between snapshots; operations are compared on
// their own.
bool same_request(const model::WaitedRequest& left, const model::WaitedRequest& right) {
    return left.handle == right.handle && left.null == right.null &&
           left.finished == right.finished &&
           left.operation.has_value() == right.operation.has_value();
}

bool same_call(const Call& left, const Call& right) {
    if (left.requests.has_value() != right.requests.has_value()) return false;
    const bool same_requests = !left.requests || std::equal(left.requests->begin(),
                                                            left.requests->end(),
                                                            right.requests->begin(),
                                                            right.requests->end(),
                                                            same_request);
    return same_requests && left.function == right.function && left.location == right.location &&
           left.communicator == right.communicator && left.source == right.source &&
           left.destination == right.destination && left.send_tag == right.send_tag &&
           left.receive_tag == right.receive_tag && left.any_tag == right.any_tag &&
           left.root == right.root;
}

bool same_calls(const model::RankSnapshot& left, const model::RankSnapshot& right) {
    if (left.call.has_value() != right.call.has_value()) return false;
    if (left.call && !same_call(*left.call, *right.call)) return false;
    return std::equal(left.more_calls.begin(),
                      left.more_calls.end(),
                      right.more_calls.begin(),
                      right.more_calls.end(),
                      same_call);
}

// The rank's own operations, without where they are stored.
std::vector<Operation> own_operations(const JobIndex& index, Node node) {
    std::vector<Operation> operations;
    for (const std::uint32_t i : index.operations_of(node)) {
        if (index.operation(i).queue == Queue::UnexpectedMessage) continue;
        Operation& operation = operations.emplace_back(index.operation(i));
        operation.address = 0;
        operation.active_address = 0;
        operation.buffer = 0;
    }
    return operations;
}

bool unmoved(const JobIndex& first, const JobIndex& second, Node node) {
    const model::RankSnapshot& before = first.rank(node);
    const model::RankSnapshot& after = second.rank(node);
    const bool identified = before.call_identity != 0 && after.call_identity != 0;
    const bool counted = before.progress_count && after.progress_count;
    // A loop comes back to the same place; what it waits for there must be seen, too.
    const bool proven = counted || (identified && after.queues_known);
    // Stopped by job control it stays where it is, whatever has arrived.
    const bool could_move = !after.suspended || after.incoming_count == 0U;
    return proven && could_move && before.state == after.state &&
           before.call_identity == after.call_identity &&
           before.progress_count == after.progress_count &&
           before.queues_known == after.queues_known &&
           before.receives_known == after.receives_known &&
           before.sends_known == after.sends_known && same_calls(before, after) &&
           own_operations(first, node) == own_operations(second, node);
}

}  // namespace

std::vector<bool> unmoved_ranks(const JobIndex& first, const JobIndex& second) {
    std::vector<bool> result(second.size());
    for (Node node = 0; node < std::min(first.size(), second.size()); ++node) {
        result[node] = unmoved(first, second, node);
    }
    return result;
}

}  // namespace mqinspect::analysis

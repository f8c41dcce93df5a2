#include "mqs_dll/placement.h"

#include "mqs_dll/snapshot.h"

namespace mqinspect::dll {
namespace {

/// Collective operations mark their tags in the upper bits (mpir_tags.h: two for
/// errors, one for the origin of the tag).
std::int32_t plain_tag(std::int32_t tag, std::int32_t tag_bits) {
    if (tag < 0 || tag_bits < 8 || tag_bits > 31) return tag;
    return tag & ((1 << (tag_bits - 3)) - 1);
}

}  // namespace

Placement place(const Snapshot& snapshot, const Request& request, bool receives) {
    const CommunicatorTable& table = snapshot.communicators;
    Placement result;
    std::uint32_t index = CommunicatorTable::kMissing;
    if (request.comm != 0) index = table.find(request.comm);
    const bool has_context = request.context != kUnknownContext;
    if (index == CommunicatorTable::kMissing && has_context) {
        index = receives ? table.receiving(request.context) : table.sending(request.context);
    }
    if (index == CommunicatorTable::kMissing) return result;
    const std::uint32_t shown = snapshot.shows_internal ? index : table.parent(index);
    if (shown == CommunicatorTable::kMissing) return result;

    const Communicator& own = table[index];
    const RankMaps& ranks = table.ranks();
    Operation& operation = result.operation;
    operation.communicator = shown;
    operation.collective = own.internal || (has_context && (request.context & 1) != 0);
    operation.tag = operation.collective ? plain_tag(request.tag, snapshot.tag_bits) : request.tag;
    const bool is_known =
        request.rank == kAnySource || request.rank == kUndefined || request.rank >= 0;
    operation.peer = is_known ? request.rank : -1;
    operation.process = ranks.process(own.peers, request.rank);
    if (shown != index && request.rank >= 0) {
        operation.peer = ranks.rank_of(table[shown].peers, operation.process);
    }
    result.found = true;
    return result;
}

}  // namespace mqinspect::dll

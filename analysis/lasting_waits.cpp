// What can be said of a collective call of which nothing shows, from its lasting alone.
//
// Whom a rank waits for in MPI_Bcast and its kin is up to the library: the root may be gone, and
// the data on its way from any member. But a rank that has had the processor for a while in such a
// call, with next to nothing to transfer, would have left if it could: it waits for at least one
// of the others, in the call or elsewhere. So do all that are in the call, and if each of them
// stays, no transfer among them will release one.
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <string_view>

#include "analysis/collective_waits.h"

namespace mqinspect::analysis {

using model::CallClass;
using model::Operation;
using Mode = WaitForGraph::Mode;

namespace {

constexpr long kFewElements = 1024;
constexpr std::uint64_t kFewBytes = 32 * std::uint64_t{kFewElements};

constexpr std::array<std::string_view, 5> kWithoutTransfer = {
    "MPI_Win_lock", "MPI_Win_lock_all", "MPI_Win_start", "MPI_Win_free", "MPI_Intercomm_create"};
// As a key: no communicator has it.
constexpr int kAnyCommunicator = -1;

bool is_few(std::string_view text) {
    long count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc{} && end == text.data() + text.size() && count <= kFewElements;
}

// The operation moves so little data that nobody stays in it for the sake of the transfer.
// Elements of predefined types have 32 bytes at most; counts in arrays are not read.
bool moves_little(const model::Call& call) {
    return std::all_of(
        call.arguments.begin(), call.arguments.end(), [](const model::Argument& argument) {
            const std::string_view name = argument.name;
            if (name.ends_with("counts") || name.ends_with("types")) return false;
            if (name.ends_with("count")) return is_few(argument.text);
            return !name.ends_with("type") || argument.text.starts_with("MPI_");
        });
}

}  // namespace

// Nothing is seen of its library's messages, but that it has not gone on between two looks.
bool CollectiveWaits::shows_only_progress(Node node) const {
    const auto& rank = index_.rank(node);
    return !rank.queues_known && rank.progress_count;
}

// `uncertain`: what there is to say otherwise.
std::vector<Clause> CollectiveWaits::if_it_lasts(Node node,
                                                 const model::Call& call,
                                                 CallClass call_class,
                                                 const Clause& uncertain) {
    const bool out_of_sight = uncertain.of_foreign != Clause::Kind::Other;
    if (!shows_only_progress(node) || out_of_sight || call_class == CallClass::FileAccess)
        return {uncertain};
    const GroupKey key{call.communicator->value, call.function};
    Group& group = groups_[key];
    const std::uint32_t all = everybody(*index_.communicator(call.communicator), group);
    const std::uint32_t not_here = absent(key, group);
    const bool alone = sets_[not_here].size() + 1 == sets_[all].size();
    if (!alone && !moves_little(call)) return {uncertain};
    return lasting(node, all, uncertain);
}

// The same for a nonblocking operation, if its completion is all that the call waits for.
std::vector<Clause> CollectiveWaits::if_operation_lasts(Node node,
                                                        const model::Call& call,
                                                        const Operation& operation,
                                                        const Clause& uncertain) {
    if (!shows_only_progress(node) || !waits_there_only(node, call, operation)) return {uncertain};
    if (index_.has_foreign_members(operation.communicator)) return {uncertain};
    Group& group = groups_[{operation.communicator.value, std::string_view()}];
    return lasting(node, everybody(*index_.communicator(operation.communicator), group), uncertain);
}

// All of its requests are of such operations on the communicator, with next to nothing to transfer:
// the same members may release it, whichever it still waits for.
bool CollectiveWaits::waits_there_only(Node node,
                                       const model::Call& call,
                                       const Operation& operation) const {
    if (!call.requests || (call.function != "MPI_Wait" && call.function != "MPI_Waitall"))
        return false;
    return std::ranges::all_of(*call.requests, [&](const model::WaitedRequest& request) {
        if (request.null || request.finished) return true;
        const Operation* other =
            request.operation ? index_.operation_of(node, *request.operation) : nullptr;
        return other != nullptr && other->queue == model::Queue::Collective &&
               other->function != "MPI_Isendrecv" &&
               other->communicator == operation.communicator && other->bytes &&
               *other->bytes <= kFewBytes;
    });
}

// And for calls with next to nothing to transfer that do not say, or not to us, for whom they wait:
// any other process of the job may release the rank.
std::vector<Clause> CollectiveWaits::if_call_lasts(Node node,
                                                   const model::Call& call,
                                                   std::vector<Clause> clauses) {
    const bool few = call.moved_bytes ? static_cast<std::uint64_t>(*call.moved_bytes) <= kFewBytes
                                      : std::ranges::find(kWithoutTransfer, call.function) !=
                                            kWithoutTransfer.end();
    const bool open = clauses.size() == 1 && clauses.front().kind == Clause::Kind::Other &&
                      clauses.front().of_foreign == Clause::Kind::Other;
    if (!open || !few || !shows_only_progress(node)) return clauses;
    for (const model::Membership& membership : index_.rank(node).memberships)
        if (index_.has_foreign_members(membership.communicator)) return clauses;
    Group& group = groups_[{kAnyCommunicator, std::string_view()}];
    if (!group.everybody) {
        std::vector<Node> all(index_.size());
        std::iota(all.begin(), all.end(), Node{0});
        group.everybody = add_set(std::move(all));
    }
    clauses = lasting(node, *group.everybody, clauses.front());
    clauses.front().kind = Clause::Kind::Something;
    return clauses;
}

std::uint32_t CollectiveWaits::everybody(const model::Communicator& communicator, Group& group) {
    if (!group.everybody) group.everybody = add_set(members(communicator));
    return *group.everybody;
}

// Any of the others may release the rank.
std::vector<Clause> CollectiveWaits::lasting(Node node,
                                             std::uint32_t everybody,
                                             const Clause& uncertain) {
    Clause clause = whole_set(everybody, Clause::Kind::Take, *uncertain.call);
    clause.operation = uncertain.operation;
    clause.mode = Mode::Any;
    clause.lasting = true;
    if (uncertain.kind != Clause::Kind::Other) {
        clause.bound = true;
        return {uncertain, clause};
    }
    // It is shown: a rank among its own targets says nothing.
    const auto& all = sets_[everybody];
    if (all.size() <= kListedOnce) {
        clause.shared.reset();
        std::ranges::remove_copy(all, std::back_inserter(clause.targets), node);
    }
    return {clause};
}

}  // namespace mqinspect::analysis

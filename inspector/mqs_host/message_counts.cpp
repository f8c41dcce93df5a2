#include "inspector/mqs_host/message_counts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "include/pending_operations.h"

namespace mqinspect::mqs_host {

namespace {

using model::Operation;
using model::OperationState;
using model::Queue;
using model::WorldRank;

/// More messages of one pair that no list has are not shown one by one.
constexpr std::uint64_t kMostShown = 64;
/// The longest message that MPICH sends without waiting, by default and on any device.
constexpr std::uint64_t kMostBuffered = std::uint64_t{128} << 10U;
/// So many sends of one pair have few enough subsets to try all.
constexpr std::size_t kMostTried = 12;

/// A set of messages: how many, and sums over their tags.
struct Tags {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::uint64_t hashes = 0;

    friend bool operator==(const Tags&, const Tags&) = default;
    Tags operator-(const Tags& other) const {
        return {count - other.count, sum - other.sum, hashes - other.hashes};
    }
    Tags& operator+=(int tag) {
        ++count;
        sum += static_cast<std::uint64_t>(tag);
        hashes += pending::hash_of_tag(tag);
        return *this;
    }
    /// The tag that all have; empty: they differ, or the set cannot be.
    std::optional<int> only_tag() const {
        if (count == 0 || count > INT32_MAX || sum % count != 0) return std::nullopt;
        const std::uint64_t tag = sum / count;
        if (tag > INT32_MAX) return std::nullopt;
        const auto result = static_cast<int>(tag);
        if (count * pending::hash_of_tag(result) != hashes) return std::nullopt;
        return result;
    }
};

using Pair = std::pair<int, int>;  ///< sender and receiver

/// The messages of one communicator.
class Messages {
public:
    Messages(const model::Communicator& communicator, model::JobSnapshot& snapshot)
        : communicator_(communicator), snapshot_(snapshot) {}

    void add(const CountedCommunicator& counted);
    void list_operations();
    void settle(std::vector<Operation>& found);

private:
    std::optional<int> peer(WorldRank rank, int comm_peer) const;
    bool is_known(int rank) const {
        const auto found = counted_.find(rank);
        return found != counted_.end() && found->second == Counted::Yes;
    }
    void settle(const Pair& pair, std::vector<Operation>& found);
    bool explain(const Pair& pair, const Tags& outstanding, std::vector<Operation>& found);
    bool explain_by_tag(const Pair& pair, const Tags& outstanding, std::vector<Operation>& found);
    bool explain_by_subset(const Pair& pair, const Tags& outstanding);
    void doubt(const Pair& pair, std::vector<Operation>& found) const;
    void assume_buffers() const;
    bool may_be_stale(const Pair& pair) const;
    std::optional<Operation> message(const Pair& pair) const;
    void add_messages(const Pair& pair,
                      std::uint64_t count,
                      int tag,
                      std::vector<Operation>& found) const;

    const model::Communicator& communicator_;
    model::JobSnapshot& snapshot_;
    std::map<int, Counted> counted_;
    std::map<Pair, Tags> sent_;
    std::map<Pair, Tags> received_;
    std::map<Pair, std::vector<Operation*>> sends_;  ///< listed, oldest first
    std::map<int, std::vector<const Operation*>> receives_;
    std::map<int, std::size_t> pending_;  ///< operations of a rank, on any communicator
};

std::optional<int> Messages::peer(WorldRank rank, int comm_peer) const {
    const auto& group = model::peer_group(communicator_, rank);
    if (comm_peer < 0 || std::cmp_greater_equal(comm_peer, group.size())) return std::nullopt;
    const WorldRank member = group[static_cast<std::size_t>(comm_peer)];
    return member == model::kUnknownRank ? std::nullopt : std::optional(member.value);
}

void Messages::add(const CountedCommunicator& counted) {
    const int rank = counted.rank.value;
    counted_[rank] = counted.counted;
    for (const mqs_message_counts& counts : counted.counts) {
        const auto other = peer(counted.rank, counts.peer);
        if (!other) continue;
        if (counts.sent != 0)
            sent_[{rank, *other}] = {counts.sent, counts.sent_tags, counts.sent_hashes};
        if (counts.received != 0) {
            received_[{*other, rank}] = {
                counts.received, counts.received_tags, counts.received_hashes};
        }
    }
}

void Messages::list_operations() {
    for (Operation& operation : snapshot_.operations) {
        if (operation.collective || operation.state == OperationState::Complete) continue;
        const int rank = operation.rank.value;
        ++pending_[rank];
        if (operation.communicator != communicator_.id || !counted_.contains(rank)) continue;
        if (operation.queue == Queue::PostedReceive) {
            receives_[rank].push_back(&operation);
        } else if (operation.queue == Queue::PendingSend && operation.world_peer && operation.tag) {
            sends_[{rank, operation.world_peer->value}].push_back(&operation);
        }
    }
}

std::optional<Operation> Messages::message(const Pair& pair) const {
    const auto& group = model::peer_group(communicator_, WorldRank(pair.first));
    const auto place = std::ranges::find(group, WorldRank(pair.second));
    if (place == group.end()) return std::nullopt;
    Operation operation;
    operation.rank = WorldRank(pair.first);
    operation.communicator = communicator_.id;
    operation.queue = Queue::PendingSend;
    operation.comm_peer = model::CommRank(static_cast<int>(place - group.begin()));
    operation.world_peer = WorldRank(pair.second);
    operation.protocol = model::Protocol::Eager;
    operation.buffer = UINT64_MAX;  // no buffer of any call
    return operation;
}

void Messages::add_messages(const Pair& pair,
                            std::uint64_t count,
                            int tag,
                            std::vector<Operation>& found) const {
    auto operation = message(pair);
    if (!operation) return;
    operation->tag = tag;
    operation->mode = model::SendMode::Standard;
    operation->extra_text = {"sent by a call that has returned, and not received yet"};
    found.insert(found.end(), std::min(count, kMostShown), *operation);
}

/// The same tag for all that is outstanding, or for all of it that is not listed.
bool Messages::explain_by_tag(const Pair& pair,
                              const Tags& outstanding,
                              std::vector<Operation>& found) {
    auto& listed = sends_[pair];
    Tags all;
    for (const Operation* send : listed)
        all += *send->tag;
    if (outstanding.count > all.count) {
        const Tags more = outstanding - all;
        if (const auto tag = more.only_tag()) {
            add_messages(pair, more.count, *tag, found);
            return true;
        }
    }
    const auto tag = outstanding.only_tag();
    if (!tag) return false;
    // Messages of one tag are received in the order in which they were sent.
    std::uint64_t left = outstanding.count;
    for (auto send = listed.rbegin(); send != listed.rend(); ++send) {
        const bool is_outstanding = (*send)->tag == *tag && left > 0;
        if (is_outstanding) --left;
        if (!is_outstanding) (*send)->state = OperationState::Complete;
    }
    add_messages(pair, left, *tag, found);
    return true;
}

bool Messages::explain_by_subset(const Pair& pair, const Tags& outstanding) {
    auto& listed = sends_[pair];
    if (listed.size() > kMostTried || outstanding.count > listed.size()) return false;
    // The youngest first.
    for (std::uint32_t left_out = 0; left_out < (1U << listed.size()); ++left_out) {
        Tags subset;
        for (std::size_t i = 0; i < listed.size(); ++i)
            if (((left_out >> i) & 1U) == 0) subset += *listed[i]->tag;
        if (subset != outstanding) continue;
        for (std::size_t i = 0; i < listed.size(); ++i)
            if (((left_out >> i) & 1U) != 0) listed[i]->state = OperationState::Complete;
        return true;
    }
    return false;
}

bool Messages::explain(const Pair& pair, const Tags& outstanding, std::vector<Operation>& found) {
    if (outstanding.count > INT32_MAX) return false;
    if (outstanding.count == 0) {
        if (outstanding != Tags{}) return false;
        for (Operation* send : sends_[pair])
            send->state = OperationState::Complete;
        return true;
    }
    return explain_by_subset(pair, outstanding) || explain_by_tag(pair, outstanding, found);
}

/// A receive of which the program has not seen that it is complete. The only operation of a
/// rank is one that it waits for: it would have gone on.
bool Messages::may_be_stale(const Pair& pair) const {
    const auto pending = pending_.find(pair.second);
    const auto receives = receives_.find(pair.second);
    if (pending == pending_.end() || pending->second < 2 || receives == receives_.end())
        return false;
    return std::ranges::any_of(receives->second, [&](const Operation* receive) {
        return receive->any_source || receive->world_peer == WorldRank(pair.first);
    });
}

void Messages::doubt(const Pair& pair, std::vector<Operation>& found) const {
    if (!may_be_stale(pair)) return;
    auto operation = message(pair);
    if (!operation) return;
    operation->doubtful = true;
    operation->extra_text = {"messages that cannot be told one by one may be under way"};
    found.push_back(std::move(*operation));
}

/// A rank that waits for a send and nothing else waits for its receiver. Where it has other
/// operations, too, the message may be in a buffer, and the rank wait for one of those.
void Messages::assume_buffers() const {
    for (const auto& [pair, sends] : sends_) {
        if (sends.empty() || pending_.at(pair.first) < 2) continue;
        for (Operation* send : sends) {
            const bool may_be_buffered =
                send->mode == model::SendMode::Standard || send->mode == model::SendMode::Ready;
            if (!may_be_buffered || send->state != OperationState::Pending ||
                send->protocol != model::Protocol::Unknown || !send->bytes ||
                *send->bytes > kMostBuffered) {
                continue;
            }
            send->protocol = model::Protocol::Eager;
            send->extra_text.emplace_back(
                "eager unless it is too long, which only the MPI library knows");
        }
    }
}

void Messages::settle(const Pair& pair, std::vector<Operation>& found) {
    const auto sent = sent_.find(pair);
    const auto received = received_.find(pair);
    const bool known = is_known(pair.first) && is_known(pair.second);
    const Tags all = sent == sent_.end() ? Tags{} : sent->second;
    const Tags done = received == received_.end() ? Tags{} : received->second;
    if (!known || !explain(pair, all - done, found)) doubt(pair, found);
}

void Messages::settle(std::vector<Operation>& found) {
    std::set<Pair> pairs;
    for (const auto* side : {&sent_, &received_}) {
        for (const auto& [pair, tags] : *side)
            pairs.insert(pair);
    }
    for (const auto& [pair, sends] : sends_)
        pairs.insert(pair);
    // Who has not counted may have sent.
    for (const auto& [receiver, receives] : receives_) {
        for (const WorldRank sender : model::peer_group(communicator_, WorldRank(receiver))) {
            if (sender != model::kUnknownRank && !is_known(sender.value))
                pairs.insert({sender.value, receiver});
        }
    }
    for (const Pair& pair : pairs)
        settle(pair, found);
    assume_buffers();
}

}  // namespace

void settle(std::span<const CountedCommunicator> counted, model::JobSnapshot& snapshot) {
    std::map<int, std::vector<const CountedCommunicator*>> by_communicator;
    for (const CountedCommunicator& each : counted)
        if (each.counted != Counted::No) by_communicator[each.communicator.value].push_back(&each);
    std::vector<Operation> found;
    for (const auto& [id, members] : by_communicator) {
        if (id < 0 || std::cmp_greater_equal(id, snapshot.communicators.size())) continue;
        Messages messages(snapshot.communicators[static_cast<std::size_t>(id)], snapshot);
        for (const CountedCommunicator* each : members)
            messages.add(*each);
        messages.list_operations();
        messages.settle(found);
    }
    if (found.empty()) return;
    // In front: they were sent before what is listed.
    std::ranges::move(snapshot.operations, std::back_inserter(found));
    std::ranges::stable_sort(found, {}, [](const Operation& operation) {
        return std::pair(operation.rank.value, operation.communicator.value);
    });
    snapshot.operations = std::move(found);
}

}  // namespace mqinspect::mqs_host

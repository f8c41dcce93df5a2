#include "inspector/mqs_host/assemble.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspector/mqs_host/message_counts.h"
#include "inspector/mqs_host/operation.h"
#include "inspector/mqs_host/window.h"
#include "model/worlds.h"

namespace mqinspect::mqs_host {

namespace {

using model::Communicator;
using model::CommunicatorId;
using model::WorldRank;

constexpr const char* kWorldName = "MPI_COMM_WORLD";

/// What one rank says of one communicator, checked.
struct Claim {
    std::size_t rank = 0;
    const HostedCommunicator* hosted = nullptr;
    std::string name;
    bool inter = false;
    /// MPI_COMM_WORLD, known by its name where the DLL tells no groups.
    bool is_implied_world = false;
    std::optional<int> comm_rank;
    /// World ranks, the group that this rank is in; empty: not known.
    std::vector<int> local_group;
    std::vector<int> remote_group;
    std::size_t communicator = 0;  ///< in the merged list
};

/// What makes two claims the same communicator. With groups the name is empty,
/// without them the groups are. `alone` is the number of a claim that shares
/// nothing with any other, else 0; `occurrence` counts equal keys of one rank.
struct Key {
    std::uint64_t id = 0;
    bool inter = false;
    std::vector<int> first_group;
    std::vector<int> second_group;
    std::string name;
    long size = 0;
    std::size_t occurrence = 0;
    std::size_t alone = 0;

    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::size_t hash = std::hash<std::string>{}(key.name);
        const auto mix = [&hash](std::size_t value) {
            hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6U) + (hash >> 2U);
        };
        mix(key.id);
        mix(static_cast<std::size_t>(key.size) + (key.inter ? 1U : 0U));
        mix(key.occurrence);
        mix(key.alone);
        for (const int rank : key.first_group)
            mix(static_cast<std::size_t>(rank));
        for (const int rank : key.second_group)
            mix(static_cast<std::size_t>(rank));
        return hash;
    }
};

/// A group whose members are world ranks, each at most once, or -1.
bool is_believable(const std::vector<int>& group, std::size_t world_size) {
    std::vector<int> members;
    members.reserve(group.size());
    for (const int rank : group) {
        if (rank < -1 || (rank >= 0 && static_cast<std::size_t>(rank) >= world_size)) return false;
        if (rank >= 0) members.push_back(rank);
    }
    std::ranges::sort(members);
    return std::ranges::adjacent_find(members) == members.end();
}

/// The smallest world rank; foreign processes come last.
int smallest(const std::vector<int>& group) {
    int result = std::numeric_limits<int>::max();
    for (const int rank : group) {
        if (rank >= 0) result = std::min(result, rank);
    }
    return result;
}

/// The group where the DLL does not tell it and there is only one possibility.
std::vector<int> implied_group(Claim& claim, const model::Worlds& worlds) {
    const auto& communicator = claim.hosted->communicator;
    if (claim.inter) return {};
    if (communicator.size == 1 && communicator.local_rank == 0) {
        return {static_cast<int>(claim.rank)};
    }
    const WorldRank self(static_cast<int>(claim.rank));
    const std::size_t world = worlds.world_of(self);
    const int size = worlds.size(world);
    claim.is_implied_world = claim.name == kWorldName && std::cmp_equal(communicator.size, size) &&
                             std::cmp_equal(communicator.local_rank, worlds.rank_in_world(self));
    std::vector<int> group(claim.is_implied_world ? static_cast<std::size_t>(size) : 0);
    std::iota(group.begin(), group.end(), worlds.first(world).value);
    return group;
}

/// `ranks`: how many the job has, in all its worlds.
Claim check(std::size_t rank,
            const HostedCommunicator& hosted,
            const model::Worlds& worlds,
            std::size_t ranks) {
    Claim claim;
    claim.rank = rank;
    claim.hosted = &hosted;
    const auto& communicator = hosted.communicator;
    claim.name = printable(communicator.name);
    claim.inter = hosted.has_details && hosted.details.kind == mqs_comm_inter;
    if (communicator.local_rank >= 0 && communicator.local_rank < communicator.size &&
        std::in_range<int>(communicator.local_rank)) {
        claim.comm_rank = static_cast<int>(communicator.local_rank);
    }
    const bool has_group = std::cmp_equal(hosted.group.size(), communicator.size) &&
                           is_believable(hosted.group, ranks);
    claim.local_group = has_group ? hosted.group : implied_group(claim, worlds);
    if (claim.inter && std::cmp_equal(hosted.remote_group.size(), hosted.details.remote_size) &&
        is_believable(hosted.remote_group, ranks)) {
        claim.remote_group = hosted.remote_group;
    }
    // The group must hold this rank, and where it holds it is the rank's number.
    const auto self = std::ranges::find(claim.local_group, static_cast<int>(rank));
    if (self == claim.local_group.end()) {
        claim.local_group.clear();
    } else {
        claim.comm_rank = static_cast<int>(self - claim.local_group.begin());
    }
    if (claim.inter && (claim.local_group.empty() || claim.remote_group.empty())) {
        claim.local_group.clear();
        claim.remote_group.clear();
    }
    return claim;
}

Key key_of(const Claim& claim) {
    Key key;
    // Without groups an id is often an address, which differs between ranks.
    if (!claim.is_implied_world) key.id = claim.hosted->communicator.unique_id;
    key.inter = claim.inter;
    if (claim.local_group.empty()) {
        key.name = claim.name;
        key.size = claim.hosted->communicator.size;
        return key;
    }
    key.first_group = claim.local_group;
    key.second_group = claim.remote_group;
    if (claim.inter && smallest(key.second_group) < smallest(key.first_group)) {
        std::swap(key.first_group, key.second_group);
    }
    return key;
}

std::vector<WorldRank> world_ranks(const std::vector<int>& group) {
    std::vector<WorldRank> ranks;
    ranks.reserve(group.size());
    for (const int rank : group)
        ranks.emplace_back(rank);
    return ranks;
}

/// Merges claims into communicators, then fills the snapshot.
class Assembly {
public:
    explicit Assembly(model::JobSnapshot& snapshot) : snapshot_(snapshot), worlds_(snapshot) {}

    void add(std::size_t rank, const HostedQueues& queues);
    void finish();

private:
    std::vector<Key> keys_of_claims();
    void separate_ambiguous(std::vector<Key>& keys) const;
    void merge();
    void describe(Communicator& communicator, const Claim& claim, const Key& key);
    void put_world_first();
    void add_membership(const Claim& claim);
    void add_operations(const Claim& claim);
    void settle_messages();
    void add_windows();

    model::JobSnapshot& snapshot_;
    model::Worlds worlds_;
    std::vector<Claim> claims_;
    /// By rank, of those whose queues are known.
    std::vector<std::pair<std::size_t, const std::vector<HostedWindow>*>> windows_;
    std::vector<Communicator> merged_;
    std::vector<bool> named_;  ///< parallel to merged_: the name is a user's
};

void Assembly::add(std::size_t rank, const HostedQueues& queues) {
    windows_.emplace_back(rank, &queues.windows);
    for (const auto& hosted : queues.communicators) {
        claims_.push_back(check(rank, hosted, worlds_, snapshot_.ranks.size()));
    }
}

std::vector<Key> Assembly::keys_of_claims() {
    std::vector<Key> keys;
    keys.reserve(claims_.size());
    // Claims come rank by rank, so that the count of one rank ends with it.
    std::unordered_map<Key, std::size_t, KeyHash> seen;
    for (std::size_t i = 0; i < claims_.size(); ++i) {
        if (i == 0 || claims_[i].rank != claims_[i - 1].rank) seen.clear();
        Key key = key_of(claims_[i]);
        key.occurrence = seen[key]++;
        keys.push_back(std::move(key));
    }
    return keys;
}

/// Without groups, equal ids may be the disjoint parts of one MPI_Comm_split. If
/// two ranks claim one place, nothing says who belongs to whom: each stays alone.
void Assembly::separate_ambiguous(std::vector<Key>& keys) const {
    std::unordered_map<Key, std::vector<std::size_t>, KeyHash> holders;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (claims_[i].local_group.empty()) holders[keys[i]].push_back(i);
    }
    for (const auto& [key, indices] : holders) {
        std::vector<int> places;
        bool is_ambiguous = false;
        for (const std::size_t i : indices) {
            is_ambiguous |= !claims_[i].comm_rank;
            places.push_back(claims_[i].comm_rank.value_or(-1));
        }
        // Both sides of an intercommunicator count from zero.
        std::ranges::sort(places);
        is_ambiguous |=
            claims_[indices.front()].inter || std::ranges::adjacent_find(places) != places.end();
        if (!is_ambiguous) continue;
        for (const std::size_t i : indices)
            keys[i].alone = i + 1;
    }
}

void Assembly::describe(Communicator& communicator, const Claim& claim, const Key& key) {
    communicator.name = claim.name;
    communicator.inter = claim.inter;
    communicator.internal = claim.hosted->has_details && claim.hosted->details.internal != 0;
    communicator.members = world_ranks(key.first_group);
    communicator.remote_members = world_ranks(key.second_group);
    const long size = claim.hosted->communicator.size;
    if (communicator.members.empty() && !claim.inter && size > 0 &&
        std::cmp_less_equal(size, snapshot_.ranks.size())) {
        communicator.members.assign(static_cast<std::size_t>(size), model::kUnknownRank);
    }
}

void Assembly::merge() {
    auto keys = keys_of_claims();
    separate_ambiguous(keys);
    std::unordered_map<Key, std::size_t, KeyHash> places;
    for (std::size_t i = 0; i < claims_.size(); ++i) {
        Claim& claim = claims_[i];
        const auto [place, is_new] = places.try_emplace(keys[i], merged_.size());
        claim.communicator = place->second;
        const auto& details = claim.hosted->details;
        const bool is_named = !claim.hosted->has_details || details.named != 0;
        if (is_new) {
            describe(merged_.emplace_back(), claim, keys[i]);
            named_.push_back(is_named);
        }
        Communicator& communicator = merged_[claim.communicator];
        if (is_named && !named_[claim.communicator]) {
            communicator.name = claim.name;
            named_[claim.communicator] = true;
        }
        // Where the DLL tells no groups, each rank fills its own place.
        if (claim.local_group.empty() && claim.comm_rank &&
            std::cmp_less(*claim.comm_rank, communicator.members.size())) {
            communicator.members[static_cast<std::size_t>(*claim.comm_rank)] =
                WorldRank(static_cast<int>(claim.rank));
        }
    }
}

void Assembly::put_world_first() {
    // Members that nobody tells are not known yet, and the size must do.
    const auto is_world = [this](const Communicator& communicator) {
        const auto& members = communicator.members;
        return communicator.name == kWorldName && !communicator.inter &&
               std::cmp_equal(members.size(), worlds_.size(0)) &&
               (!worlds_.several() || worlds_.world_of(communicator) == std::size_t{0});
    };
    const auto world = std::ranges::find_if(merged_, is_world);
    if (world != merged_.end()) {
        const auto place = static_cast<std::size_t>(world - merged_.begin());
        std::rotate(merged_.begin(), world, world + 1);
        for (auto& claim : claims_) {
            if (claim.communicator == place) {
                claim.communicator = 0;
            } else if (claim.communicator < place) {
                ++claim.communicator;
            }
        }
    }
    for (std::size_t i = 0; i < merged_.size(); ++i) {
        merged_[i].id = CommunicatorId(static_cast<int>(i));
    }
}

void Assembly::add_membership(const Claim& claim) {
    // A rank that does not know its place in a communicator has no membership;
    // its operations on it are still listed.
    if (!claim.comm_rank) return;
    model::Membership membership;
    membership.communicator = CommunicatorId(static_cast<int>(claim.communicator));
    membership.comm_rank = model::CommRank(*claim.comm_rank);
    if (claim.hosted->has_details) {
        const auto& details = claim.hosted->details;
        membership.handle = details.handle;
        membership.address = details.address;
        if (details.collectives_started >= 0) {
            membership.collectives_started = details.collectives_started;
        }
    }
    snapshot_.ranks[claim.rank].memberships.push_back(membership);
}

void Assembly::add_operations(const Claim& claim) {
    const Communicator& communicator = merged_[claim.communicator];
    PeerGroup peers;
    peers.world_size = snapshot_.ranks.size();
    std::vector<WorldRank> remote;
    const std::vector<WorldRank>* group = &communicator.members;
    if (communicator.inter) {
        remote = world_ranks(claim.remote_group);
        group = &remote;
        const long size = claim.hosted->details.remote_size;
        peers.size = size > 0 ? static_cast<std::size_t>(size) : 0;
    } else if (claim.hosted->communicator.size > 0) {
        peers.size = static_cast<std::size_t>(claim.hosted->communicator.size);
    }
    if (!group->empty() && group->size() == peers.size) peers.members = group;
    for (const auto& hosted : claim.hosted->operations) {
        auto operation =
            convert(hosted, WorldRank(static_cast<int>(claim.rank)), communicator.id, peers);
        if (operation) snapshot_.operations.push_back(std::move(*operation));
    }
}

void Assembly::settle_messages() {
    std::vector<CountedCommunicator> counted;
    for (const auto& claim : claims_) {
        counted.push_back({WorldRank(static_cast<int>(claim.rank)),
                           CommunicatorId(static_cast<int>(claim.communicator)),
                           claim.hosted->counted,
                           claim.hosted->message_counts});
    }
    settle(counted, snapshot_);
}

/// A window is known by the communicator that the MPI library made for it.
void Assembly::add_windows() {
    snapshot_.windows.clear();
    for (const auto& [rank, windows] : windows_) {
        const std::size_t first = snapshot_.windows.size();
        for (const HostedWindow& hosted : *windows) {
            const auto claim = std::ranges::find_if(claims_, [&, rank = rank](const Claim& each) {
                const auto& communicator = *each.hosted;
                return each.rank == rank &&
                       communicator.communicator.unique_id == hosted.window.communicator &&
                       (!communicator.has_details ||
                        communicator.details.address == hosted.window.communicator_address);
            });
            if (claim == claims_.end()) continue;
            const Communicator& communicator = snapshot_.communicators[claim->communicator];
            snapshot_.windows.push_back(convert(
                hosted, WorldRank(static_cast<int>(rank)), communicator.id, communicator.members));
        }
        std::ranges::sort(snapshot_.windows.begin() + static_cast<std::ptrdiff_t>(first),
                          snapshot_.windows.end(),
                          {},
                          &model::Window::communicator);
    }
}

void Assembly::finish() {
    merge();
    put_world_first();
    // By rank, then communicator; each queue as the DLL has it.
    std::ranges::stable_sort(
        claims_, {}, [](const Claim& claim) { return std::pair(claim.rank, claim.communicator); });
    std::size_t operations = 0;
    for (const auto& claim : claims_)
        operations += claim.hosted->operations.size();
    snapshot_.operations.clear();
    snapshot_.operations.reserve(operations);
    for (const auto& claim : claims_) {
        add_membership(claim);
        add_operations(claim);
    }
    snapshot_.communicators = std::move(merged_);
    settle_messages();
    add_windows();
}

/// Queues that the DLL could not read: what they hold must not be inferred.
void add_problems(const HostedQueues& queues, model::RankSnapshot& rank) {
    std::vector<std::string> problems;
    bool unexpected_is_unknown = false;
    bool receives = true;
    bool sends = true;
    for (const auto& communicator : queues.communicators) {
        for (const int queue : communicator.unknown_queues) {
            if (queue == mqs_pending_collectives) continue;
            rank.queues_known = false;
            unexpected_is_unknown |= queue == mqs_unexpected_messages;
            receives &= queue != mqs_pending_receives;
            sends &= queue != mqs_pending_sends;
        }
    }
    if (!rank.queues_known) {
        rank.receives_known = receives;
        rank.sends_known = sends;
        problems.emplace_back(unexpected_is_unknown
                                  ? "the debugger DLL has no information on unexpected messages"
                                  : "the debugger DLL has no information on some queues");
    }
    for (const auto& problem : queues.problems)
        problems.push_back(printable(problem));
    if (problems.empty()) return;
    if (!rank.problem.empty()) problems.insert(problems.begin(), rank.problem);
    rank.problem = fmt::format("{}", fmt::join(problems, "; "));
}

/// Devices that match inside a network library keep a receive, but not for whom: a list
/// with such an entry rules nothing out.
void doubt_what_has_no_envelope(model::JobSnapshot& snapshot) {
    for (const model::Operation& operation : snapshot.operations) {
        const bool pending = operation.state == model::OperationState::Pending;
        const bool peer = operation.any_source || operation.world_peer || operation.comm_peer;
        const bool tag = operation.any_tag || operation.tag;
        if (!pending || operation.collective || (peer && tag)) continue;
        model::RankSnapshot& rank = snapshot.ranks[operation.rank.index()];
        if (operation.queue == model::Queue::PostedReceive) rank.receives_known = false;
        if (operation.queue == model::Queue::PendingSend) rank.sends_known = false;
    }
}

}  // namespace

void assemble(std::span<const Result<HostedQueues>> ranks, model::JobSnapshot& snapshot) {
    Assembly assembly(snapshot);
    const std::size_t count = std::min(ranks.size(), snapshot.ranks.size());
    for (std::size_t i = 0; i < count; ++i) {
        model::RankSnapshot& rank = snapshot.ranks[i];
        rank.memberships.clear();
        rank.queues_known = ranks[i].has_value();
        if (!ranks[i]) {
            if (rank.problem.empty()) rank.problem = printable(ranks[i].error().message);
            continue;
        }
        rank.progress_count = ranks[i]->progress_count;
        rank.incoming_count = ranks[i]->incoming_count;
        assembly.add(i, *ranks[i]);
        add_problems(*ranks[i], rank);
    }
    assembly.finish();
    doubt_what_has_no_envelope(snapshot);
}

}  // namespace mqinspect::mqs_host

/// Between which members of a collective operation data goes: who may know of whom afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/pairing/operation.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Of data that only the root has, all learn what the root knew; the root of a Gather or Reduce
/// learns what all knew; a member of a Scan learns of those in front of it (MPI 4.0, 6.11); in all
/// other operations everybody learns what everybody knew. Where no data goes nobody learns
/// anything: MPI does not promise that such operations wait for each other (MPI 4.0, 6.1). Along
/// the edges of a topology data goes where both ends are known. Keeps references.
class DataFlow {
public:
    DataFlow(const CallKind& kind, const Wave& wave, const model::Execution& execution)
        : wave_(wave), pattern_(kind.pattern) {
        const auto communicator = static_cast<std::size_t>(wave.communicator.value);
        if (pattern_ == Pattern::Neighbor && communicator < execution.communicators.size())
            edges_ = &execution.communicators[communicator];
        const std::int64_t root = std::max<std::int64_t>(0, wave.contributions.front().root);
        root_ = static_cast<std::size_t>(root);
        const bool rooted = kind.rooted && root_ < wave.contributions.size();
        from_root_ = rooted && (pattern_ == Pattern::Broadcast || pattern_ == Pattern::Scatter ||
                                pattern_ == Pattern::Scatterv);
        to_root_ = rooted && (pattern_ == Pattern::Gather || pattern_ == Pattern::Gatherv ||
                              pattern_ == Pattern::Reduce);
        exclusive_ = kind.name.find("xscan") != std::string_view::npos;
        inclusive_ = !exclusive_ && (kind.name.find("scan") != std::string_view::npos ||
                                     kind.name.starts_with("Scan"));
    }

    /// True: who gives anything gives it to all who take anything; as good as true where there are
    /// too many to look at each pair.
    bool is_uniform() const {
        constexpr std::size_t most = 256;
        if (wave_.contributions.size() > most) return true;
        return !inclusive_ && !exclusive_ && pattern_ != Pattern::Alltoallv && edges_ == nullptr;
    }
    bool gives(std::size_t member) const {
        const Contribution& one = wave_.contributions[member];
        if (from_root_ && member != root_) return false;
        const bool counted = pattern_ == Pattern::Broadcast || pattern_ == Pattern::Gather ||
                             pattern_ == Pattern::Gatherv || pattern_ == Pattern::Reduce;
        return !counted || one.send_count != 0 || one.send_in_place;
    }
    bool takes(std::size_t member) const {
        const Contribution& one = wave_.contributions[member];
        if (to_root_ && member != root_) return false;
        const bool counted = pattern_ == Pattern::Scatter || pattern_ == Pattern::Scatterv;
        return !counted || one.receive_count != 0 || one.receive_in_place;
    }
    bool goes(std::size_t from, std::size_t to) const {
        if (!gives(from) || !takes(to)) return false;
        if (inclusive_) return from <= to;
        if (exclusive_) return from < to;
        if (edges_ != nullptr) return is_neighbor(from, to);
        if (pattern_ != Pattern::Alltoallv) return true;
        const Contribution& one = wave_.contributions[from];
        return one.send_in_place || to >= one.send_counts.size() || one.send_counts[to] != 0;
    }

private:
    bool is_neighbor(std::size_t from, std::size_t to) const {
        const std::size_t members = wave_.contributions.size();
        if (edges_->sources.size() != members || edges_->destinations.size() != members)
            return true;
        if (edges_->sources[to].empty() && edges_->destinations[from].empty()) return true;
        return std::ranges::find(edges_->sources[to], static_cast<std::int64_t>(from)) !=
               edges_->sources[to].end();
    }

    const Wave& wave_;
    const model::RecordedCommunicator* edges_ = nullptr;
    Pattern pattern_;
    std::size_t root_ = 0;
    bool from_root_ = false;
    bool to_root_ = false;
    bool inclusive_ = false;
    bool exclusive_ = false;
};

/// For each member that learns something `learn(member, known)`, where `known` is what those know
/// who give it data: made by `none()`, and by `join(known, member)` for each of them.
template <class None, class Join, class Learn>
void spread(const DataFlow& flow, std::size_t members, None none, Join join, Learn learn) {
    if (flow.is_uniform()) {
        auto all = none();
        for (std::size_t from = 0; from < members; ++from)
            if (flow.gives(from)) join(all, from);
        for (std::size_t to = 0; to < members; ++to)
            if (flow.takes(to)) learn(to, all);
        return;
    }
    std::vector<decltype(none())> known;
    for (std::size_t to = 0; to < members; ++to) {
        known.push_back(none());
        for (std::size_t from = 0; from < members; ++from)
            if (flow.goes(from, to)) join(known[to], from);
    }
    for (std::size_t to = 0; to < members; ++to)
        learn(to, known[to]);
}

}  // namespace mqinspect::analysis

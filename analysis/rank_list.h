/// Ranks of the job, stored once however many waits name them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "model/ids.h"

namespace mqinspect::analysis {

/// A constant list of ranks that copies share: all members of a communicator may
/// wait for the same half of it. Reads like a const std::vector.
class RankList {
public:
    using value_type = model::WorldRank;
    using const_iterator = const model::WorldRank*;
    using iterator = const_iterator;

    RankList() = default;
    // Implicit, so that a list can be given where ranks are at hand.
    RankList(std::vector<model::WorldRank> ranks)
        : ranks_(std::make_shared<const std::vector<model::WorldRank>>(std::move(ranks))) {}
    RankList(std::initializer_list<model::WorldRank> ranks)
        : RankList(std::vector<model::WorldRank>(ranks)) {}

    std::size_t size() const { return ranks_ ? ranks_->size() : 0; }
    bool empty() const { return size() == 0; }
    const model::WorldRank* data() const { return ranks_ ? ranks_->data() : nullptr; }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + size(); }
    /// Precondition: index < size().
    model::WorldRank operator[](std::size_t index) const { return (*ranks_)[index]; }
    model::WorldRank front() const { return (*this)[0]; }

    operator const std::vector<model::WorldRank>&() const {
        static const std::vector<model::WorldRank> none;
        return ranks_ ? *ranks_ : none;
    }

    friend bool operator==(const RankList& left, const RankList& right) {
        const std::vector<model::WorldRank>& left_ranks = left;
        const std::vector<model::WorldRank>& right_ranks = right;
        return left.ranks_ == right.ranks_ || left_ranks == right_ranks;
    }

private:
    std::shared_ptr<const std::vector<model::WorldRank>> ranks_;
};

}  // namespace mqinspect::analysis

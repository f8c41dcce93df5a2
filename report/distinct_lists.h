/// Telling equal lists of ranks apart from others, without reading each again.
#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/rank_list.h"

namespace mqinspect::report {

/// Numbers lists from 0; equal lists have equal numbers. Copies of one RankList,
/// of which a job may have one for each rank, cost no comparison. The lists must
/// live as long as this.
class DistinctLists {
public:
    std::size_t number(const analysis::RankList& list);

    const analysis::RankList& operator[](std::size_t number) const { return lists_[number]; }
    std::size_t size() const { return lists_.size(); }

private:
    std::vector<analysis::RankList> lists_;
    std::unordered_map<const model::WorldRank*, std::size_t> by_address_;
    std::map<std::vector<model::WorldRank>, std::size_t> by_content_;
};

}  // namespace mqinspect::report

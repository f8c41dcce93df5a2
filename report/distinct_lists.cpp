#include "report/distinct_lists.h"

namespace mqinspect::report {

std::size_t DistinctLists::number(const analysis::RankList& list) {
    const auto known = by_address_.find(list.data());
    if (known != by_address_.end()) return known->second;
    const auto [place, is_new] = by_content_.emplace(list, lists_.size());
    if (is_new) lists_.push_back(list);
    by_address_.emplace(list.data(), place->second);
    return place->second;
}

}  // namespace mqinspect::report

/// Between which members of a collective operation data goes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "analysis/pairing/operation.h"

namespace mqinspect::analysis {

/// Of data that only the root has, all learn what the root knew; the root of a Gather or Reduce
/// learns what all knew; in all other operations everybody what everybody knew.
struct DataFlow {
    std::size_t root = 0;
    bool from_root = false;
    bool to_root = false;

    bool gives(std::size_t member) const { return !from_root || member == root; }
    bool takes(std::size_t member) const { return !to_root || member == root; }
};

inline DataFlow data_flow(const CallKind& kind, const Wave& wave) {
    const std::int64_t root = std::max<std::int64_t>(0, wave.contributions.front().root);
    DataFlow flow{static_cast<std::size_t>(root), false, false};
    if (!kind.rooted || flow.root >= wave.contributions.size()) return flow;
    switch (kind.pattern) {
        case Pattern::Broadcast:
        case Pattern::Scatter:
        case Pattern::Scatterv:
            flow.from_root = true;
            break;
        case Pattern::Gather:
        case Pattern::Gatherv:
        case Pattern::Reduce:
            flow.to_root = true;
            break;
        default:
            break;
    }
    return flow;
}

}  // namespace mqinspect::analysis

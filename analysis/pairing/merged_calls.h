/// The calls of all processes, by time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

/// By the time of entry, so that what belongs together comes close together. Clocks may differ:
/// nothing may depend on the order but the amount of memory.
class MergedCalls {
public:
    explicit MergedCalls(const model::Recording& recording);

    /// Null: there are no more. Valid until the next one.
    const model::RecordedCall* next();

private:
    struct Source {
        std::unique_ptr<model::CallStream> stream;
        model::RecordedCall call;
    };

    bool earlier(std::size_t left, std::size_t right) const;
    void sift_down();

    std::vector<Source> sources_;
    std::vector<std::size_t> heap_;  ///< of subscripts, the earliest first
    bool first_is_used_ = false;     ///< the call of heap_[0] has been given out
};

}  // namespace mqinspect::analysis

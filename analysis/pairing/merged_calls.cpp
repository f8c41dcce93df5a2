#include "analysis/pairing/merged_calls.h"

#include <algorithm>
#include <utility>

namespace mqinspect::analysis {

MergedCalls::MergedCalls(const model::Recording& recording) {
    for (const model::RecordedProcess& process : recording.execution().processes) {
        Source source{recording.calls(process.id), {}};
        if (!source.stream || !source.stream->next(source.call)) continue;
        heap_.push_back(sources_.size());
        sources_.push_back(std::move(source));
    }
    std::make_heap(heap_.begin(), heap_.end(), [this](std::size_t left, std::size_t right) {
        return earlier(right, left);
    });
}

bool MergedCalls::earlier(std::size_t left, std::size_t right) const {
    const model::RecordedCall& one = sources_[left].call;
    const model::RecordedCall& two = sources_[right].call;
    return one.enter_ns != two.enter_ns ? one.enter_ns < two.enter_ns : left < right;
}

void MergedCalls::sift_down() {
    std::size_t at = 0;
    while (true) {
        std::size_t child = 2 * at + 1;
        if (child >= heap_.size()) return;
        if (child + 1 < heap_.size() && earlier(heap_[child + 1], heap_[child])) ++child;
        if (!earlier(heap_[child], heap_[at])) return;
        std::swap(heap_[at], heap_[child]);
        at = child;
    }
}

const model::RecordedCall* MergedCalls::next() {
    if (first_is_used_) {
        Source& source = sources_[heap_[0]];
        if (!source.stream->next(source.call)) {
            source.stream.reset();
            heap_[0] = heap_.back();
            heap_.pop_back();
        }
        sift_down();
    }
    first_is_used_ = !heap_.empty();
    return heap_.empty() ? nullptr : &sources_[heap_[0]].call;
}

}  // namespace mqinspect::analysis

#include "trace_io/call_merge.h"

#include <algorithm>

namespace mqinspect::trace_io {

CallMerge::CallMerge(const ProcessSource& source) {
    if (source.files == nullptr) return;
    for (std::size_t thread = 0; thread < source.files->threads.size(); ++thread)
        heads_.push_back(std::make_unique<Head>(source, thread));
}

void CallMerge::advance(std::size_t at) {
    Head& head = *heads_[at];
    if (!head.reader.next(head.call))
        heads_.erase(heads_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool CallMerge::next(model::RecordedCall& call) {
    // Nothing to merge, and nothing to copy.
    if (!started_ && heads_.size() == 1) return heads_[0]->reader.next(call);
    if (started_ && !heads_.empty()) advance(given_);
    for (std::size_t at = heads_.size(); !started_ && at > 0; --at)
        advance(at - 1);
    started_ = true;
    if (heads_.empty()) return false;
    const auto earliest = std::ranges::min_element(
        heads_, {}, [](const std::unique_ptr<Head>& head) { return head->call.enter_ns; });
    given_ = static_cast<std::size_t>(earliest - heads_.begin());
    call = heads_[given_]->call;
    return true;
}

}  // namespace mqinspect::trace_io

#include "analysis/local/active_buffers.h"

namespace mqinspect::analysis {

ActiveSlot ActiveBuffers::add(const Access& access,
                              const CallSite& site,
                              bool remote_memory,
                              ActiveSlot next) {
    ActiveSlot slot = 0;
    if (free_.empty()) {
        slot = static_cast<ActiveSlot>(entries_.size());
        ranges_.emplace_back();
        entries_.emplace_back();
        if (slot / kBlock == blocks_.size()) blocks_.emplace_back();
        if (slot / kBlock / kBlock == groups_.size()) groups_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    ranges_[slot] = access.hull;
    Entry& entry = entries_[slot];
    entry.access = access;
    entry.site = site;
    entry.remote_memory = remote_memory;
    entry.next = next;
    blocks_[slot / kBlock].add(access.hull);
    groups_[slot / kBlock / kBlock].add(access.hull);
    ++live_;
    return slot;
}

void ActiveBuffers::remove(ActiveSlot slot) {
    ranges_[slot] = {};
    blocks_[slot / kBlock].remove();
    groups_[slot / kBlock / kBlock].remove();
    free_.push_back(slot);
    --live_;
}

}  // namespace mqinspect::analysis

#include "tracer/log/thread_log.h"

#include <cstring>

namespace mqinspect::tracer {

/// Where a call has been entered from, its return address lies below the stack pointer until it
/// returns. The frame of an outer call is above those of the calls that it makes.
const Site* ThreadLog::left_behind(std::uint64_t stack_pointer) const {
    const Site* site = innermost();
    if (site == nullptr) return nullptr;
    const std::uint64_t place = open_[depth_ - 1].stack_pointer;
    if (place == 0) return nullptr;
    if (place <= stack_pointer) return site;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a place on the stack of this thread
    const auto* below = reinterpret_cast<const std::uint64_t*>(place) - 1;
    return *below == site->return_address ? nullptr : site;
}

/// A list that no block can hold is cut: readers see that it is shorter than its count says.
bool ThreadLog::make_more_room(std::size_t count, std::uint64_t lists, const std::int64_t* values) {
    if (!next_block()) return false;
    if (!has_room(record_bound(count, lists, values)))
        cut_lists(count, lists, values, static_cast<std::size_t>(limit_ - position_));
    return true;
}

/// The order of what follows lets readers see at any time either the full block or an empty one.
bool ThreadLog::next_block() {
    const bool first = block_.header == nullptr;
    if (first) block_ = file_.claim();
    const bool there = first ? block_.header != nullptr : file_.keep(block_);
    ++sequence_;
    position_ = limit_ = nullptr;
    if (!there) return false;
    model::BlockHeader& header = *block_.header;
    header.used.store(0, std::memory_order_release);
    shifted_ticks_ = ticks_now() >> kTickShift;
    header.thread = thread_;
    header.ticks = shifted_ticks_ << kTickShift;
    header.first_event = event_;
    header.open_calls = static_cast<std::uint32_t>(depth_);
    std::atomic_signal_fence(std::memory_order_release);
    header.sequence = sequence_ - 1;
    header.magic = model::kBlockMagic;
    position_ = block_.records();
    limit_ = block_.end();
    std::uint8_t* out = position_;
    for (std::size_t i = 0; i < depth_; ++i) {
        const OpenCall& open = open_[i];
        out = put_head(out, model::RecordKind::Resume, open.site->procedure_id);
        out = put_ticks(out, header.ticks);
        out = model::put_varint(out, open.site->stack);
        out = model::put_varint(out, open.event);
    }
    commit(out);
    return true;
}

bool ThreadLog::begin_block_for(std::size_t bytes) {
    if (bytes > model::kBlockBytes / 2) return false;
    busy_ = true;
    const bool begun = next_block();
    busy_ = false;
    return begun;
}

/// Makes what the site remembers that of the current block.
void ThreadLog::prepare(Site& site, std::uint64_t block) {
    forget_values(site.before_enter, site.procedure->in_count, site.procedure->in_lists);
    forget_values(site.before_leave, site.procedure->out_count, site.procedure->out_lists);
    site.head.count = static_cast<std::size_t>(
        put_head(site.head.bytes, model::RecordKind::Enter, site.procedure_id) - site.head.bytes);
    site.stack_id.count = static_cast<std::size_t>(
        model::put_varint(site.stack_id.bytes, site.stack) - site.stack_id.bytes);
    site.block = block;
    if (site.heap_looks == kMostHeapLooks) --site.heap_looks;
}

bool ThreadLog::enter(Site& site,
                      std::uint64_t ticks,
                      const std::int64_t* values,
                      std::uint64_t stack_pointer) {
    if (depth_ == kMostOpen) [[unlikely]]
        return false;
    busy_ = true;
    const Procedure& procedure = *site.procedure;
    const bool room = make_room_for(procedure.in_count, procedure.in_lists, values);
    if (room) [[likely]] {
        commit(put_values(begin_enter(site, ticks),
                          procedure.in_count,
                          procedure.in_lists,
                          values,
                          site.before_enter));
        open(site, stack_pointer);
    }
    busy_ = false;
    return room;
}

bool ThreadLog::leave(std::uint64_t ticks, const std::int64_t* values) {
    if (depth_ == 0) [[unlikely]]
        return false;
    busy_ = true;
    Site& site = *open_[depth_ - 1].site;
    const Procedure& procedure = *site.procedure;
    const bool room = make_room_for(procedure.out_count, procedure.out_lists, values);
    if (room) [[likely]] {
        commit(put_values(begin_leave(site, ticks),
                          procedure.out_count,
                          procedure.out_lists,
                          values,
                          site.before_leave));
        ++event_;
    }
    --depth_;
    busy_ = false;
    return room;
}

bool ThreadLog::event(model::EventKind kind, const std::uint8_t* payload, std::size_t bytes) {
    busy_ = true;
    const bool room = make_room(kHeadBytes + bytes) && has_room(kHeadBytes + bytes);
    if (room) {
        std::uint8_t* out =
            put_head(position_, model::RecordKind::Event, static_cast<std::uint32_t>(kind));
        out = put_ticks(out, ticks_now());
        out = model::put_varint(out, bytes);
        std::memcpy(out, payload, bytes);
        commit(out + bytes);
    }
    busy_ = false;
    return room;
}

void ThreadLog::close() {
    file_.give_back(block_);
    block_ = {};
    position_ = limit_ = nullptr;
}

}  // namespace mqinspect::tracer

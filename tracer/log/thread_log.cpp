#include "tracer/log/thread_log.h"

#include <algorithm>
#include <cstring>

namespace mqinspect::tracer {

namespace {

using model::kMaxVarintBytes;

/// Room for the head of a record and for the fields before its values.
constexpr std::size_t kHeadBytes = 4 * kMaxVarintBytes;
constexpr std::size_t kBitsPerByte = 7;
constexpr std::size_t kLastBit = 63;

const List& list_of(std::int64_t value) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): values are numbers or lists, as Procedure says
    return *reinterpret_cast<const List*>(value);
}

LastList& last_list(std::int64_t before) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): what belongs to a list is always one of these
    return *reinterpret_cast<LastList*>(before);
}

/// Whether the list is not the one before, which it then becomes. An empty one behind a long one
/// is taken for new.
bool is_new(const List& list, LastList& last) {
    if (list.length == last.length && list.length <= LastList::kMost &&
        std::equal(list.elements, list.elements + list.length, last.elements))
        return false;
    last.length = list.length;
    if (list.length <= LastList::kMost)
        std::copy(list.elements, list.elements + list.length, last.elements);
    return true;
}

std::int64_t difference(std::int64_t value, std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                     static_cast<std::uint64_t>(before));
}

std::uint8_t* put_list(std::uint8_t* out, const List& list) {
    out = model::put_varint(out, list.length);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < list.length; ++i) {
        out = model::put_varint(out, model::zigzag(difference(list.elements[i], before)));
        before = list.elements[i];
    }
    return out;
}

/// As varint always of the same length, because it is written before it is known.
void put_mask(std::uint8_t* out, std::size_t bytes, std::uint64_t mask) {
    for (; bytes > 1; --bytes, mask >>= kBitsPerByte)
        *out++ = static_cast<std::uint8_t>(mask | 0x80U);
    *out = static_cast<std::uint8_t>(mask & 0x7fU);
}

std::uint8_t* put_values(std::uint8_t* out,
                         std::size_t count,
                         std::uint64_t lists,
                         const std::int64_t* values,
                         std::int64_t* before) {
    std::uint8_t* const mask_at = out;
    const std::size_t mask_bytes =
        count <= kBitsPerByte ? 1 : (count + kBitsPerByte - 1) / kBitsPerByte;
    out += mask_bytes;
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (((lists >> i) & 1U) != 0) {
            if (!is_new(list_of(values[i]), last_list(before[i]))) continue;
            out = put_list(out, list_of(values[i]));
        } else {
            if (values[i] == before[i]) continue;
            out = model::put_varint(out, model::zigzag(difference(values[i], before[i])));
            before[i] = values[i];
        }
        changed |= std::uint64_t{1} << std::min(i, kLastBit);
    }
    put_mask(mask_at, mask_bytes, changed);
    return out;
}

void forget(std::int64_t* before, std::size_t count, std::uint64_t lists) {
    for (std::size_t i = 0; i < count; ++i, lists >>= 1U) {
        if ((lists & 1U) != 0) {
            last_list(before[i]).length = 0;
        } else {
            before[i] = 0;
        }
    }
}

std::size_t varint_bytes(std::uint64_t value) {
    std::size_t bytes = 1;
    for (; value >= 0x80; value >>= kBitsPerByte)
        ++bytes;
    return bytes;
}

/// How many elements of the list fit into so many bytes.
std::size_t fitting(const List& list, std::size_t bytes) {
    std::size_t used = kMaxVarintBytes;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < list.length; ++i) {
        used += varint_bytes(model::zigzag(difference(list.elements[i], before)));
        if (used > bytes) return i;
        before = list.elements[i];
    }
    return list.length;
}

}  // namespace

const Site* ThreadLog::innermost() const {
    return depth_ == 0 || depth_ > kMostOpen ? nullptr : open_[depth_ - 1].site;
}

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

std::size_t ThreadLog::bound(std::size_t count, std::uint64_t lists, const std::int64_t* values) {
    std::size_t bytes = kHeadBytes + count * kMaxVarintBytes;
    for (std::size_t i = 0; lists != 0; ++i, lists >>= 1U) {
        if ((lists & 1U) != 0) bytes += list_of(values[i]).length * kMaxVarintBytes;
    }
    return bytes;
}

/// A list that no block can hold is cut: readers see that it is shorter than its count says.
bool ThreadLog::make_room_for(std::size_t count, std::uint64_t lists, const std::int64_t* values) {
    const std::size_t bytes = bound(count, lists, values);
    if (has_room(bytes)) return true;
    if (!next_block()) return false;
    if (has_room(bytes)) return true;
    std::size_t room =
        static_cast<std::size_t>(limit_ - position_) - kHeadBytes - count * kMaxVarintBytes;
    for (std::size_t i = 0; lists != 0; ++i, lists >>= 1U) {
        if ((lists & 1U) == 0) continue;
        auto& list = const_cast<List&>(list_of(values[i]));  // NOLINT: it is the caller's to lose
        const std::size_t share = room / static_cast<std::size_t>(__builtin_popcountll(lists));
        list.length = fitting(list, share);
        room -= share;
    }
    return true;
}

std::uint8_t* ThreadLog::put_head(std::uint8_t* out,
                                  model::RecordKind kind,
                                  std::uint64_t number,
                                  std::uint64_t ticks) {
    // What is written is rounded; the rest goes to the next record.
    const std::uint64_t passed = ticks > ticks_ ? (ticks - ticks_) >> tick_shift_ : 0;
    ticks_ += passed << tick_shift_;
    out = model::put_varint(out, (number << 2U) | static_cast<std::uint64_t>(kind));
    return model::put_varint(out, passed);
}

void ThreadLog::commit(std::uint8_t* end) {
    position_ = end;
    block_.header->used.store(static_cast<std::uint32_t>(end - block_.records()),
                              std::memory_order_release);
}

bool ThreadLog::next_block() {
    file_.give_back(block_);
    block_ = file_.claim();
    ++sequence_;
    position_ = limit_ = nullptr;
    if (block_.header == nullptr) return false;
    model::BlockHeader& header = *block_.header;
    ticks_ = ticks_now();
    header.thread = thread_;
    header.sequence = sequence_ - 1;
    header.ticks = ticks_;
    header.first_event = event_;
    header.open_calls = static_cast<std::uint32_t>(depth_);
    header.magic = model::kBlockMagic;
    position_ = block_.records();
    limit_ = block_.end();
    std::uint8_t* out = position_;
    for (std::size_t i = 0; i < depth_; ++i) {
        const OpenCall& open = open_[i];
        out = put_head(out, model::RecordKind::Resume, open.site->procedure_id, ticks_);
        out = model::put_varint(out, open.site->stack);
        out = model::put_varint(out, open.event);
    }
    commit(out);
    return true;
}

/// Makes what the site remembers that of the current block.
void ThreadLog::prepare(Site& site, std::uint64_t block) {
    if (site.block == block) return;
    forget(site.before_enter, site.procedure->in_count, site.procedure->in_lists);
    forget(site.before_leave, site.procedure->out_count, site.procedure->out_lists);
    site.block = block;
}

bool ThreadLog::enter(Site& site,
                      std::uint64_t ticks,
                      const std::int64_t* values,
                      std::uint64_t stack_pointer) {
    if (depth_ == kMostOpen) return false;
    busy_ = true;
    const Procedure& procedure = *site.procedure;
    const bool room = make_room_for(procedure.in_count, procedure.in_lists, values);
    if (room) {
        prepare(site, sequence_);
        std::uint8_t* out = put_head(position_, model::RecordKind::Enter, site.procedure_id, ticks);
        out = model::put_varint(out, site.stack);
        out = put_values(out, procedure.in_count, procedure.in_lists, values, site.before_enter);
        commit(out);
        open_[depth_++] = {&site, event_++, stack_pointer};
    }
    busy_ = false;
    return room;
}

bool ThreadLog::leave(std::uint64_t ticks, const std::int64_t* values) {
    if (depth_ == 0) return false;
    busy_ = true;
    Site& site = *open_[depth_ - 1].site;
    const Procedure& procedure = *site.procedure;
    const bool room = make_room_for(procedure.out_count, procedure.out_lists, values);
    if (room) {
        prepare(site, sequence_);
        std::uint8_t* out = put_head(position_, model::RecordKind::Leave, 0, ticks);
        out = put_values(out, procedure.out_count, procedure.out_lists, values, site.before_leave);
        commit(out);
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
        std::uint8_t* out = put_head(
            position_, model::RecordKind::Event, static_cast<std::uint64_t>(kind), ticks_now());
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

/// The records of one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/record_format.h"

#include "tracer/log/encoding.h"
#include "tracer/log/log_file.h"
#include "tracer/log/memory.h"
#include "tracer/log/site.h"

namespace mqinspect::tracer {

inline std::uint64_t ticks_now() {
    return __builtin_ia32_rdtsc();
}

/// FileHeader::tick_shift: of some nanoseconds.
inline constexpr std::uint32_t kTickShift = 4;

/// Used by its own thread only.
class ThreadLog {
public:
    ThreadLog(LogFile& file, std::uint32_t thread) : file_(file), thread_(thread) {}
    ThreadLog(const ThreadLog&) = delete;
    ThreadLog& operator=(const ThreadLog&) = delete;
    ~ThreadLog() = default;

    /// False: the file cannot grow any more; what follows is not written. `stack_pointer`: of the
    /// call, for left_behind().
    bool enter(Site& site,
               std::uint64_t ticks,
               const std::int64_t* values,
               std::uint64_t stack_pointer = 0);
    bool leave(std::uint64_t ticks, const std::int64_t* values);
    /// The same where no value is a list, in half the instructions.
    template <std::size_t kCount>
    bool enter_numbers(Site& site,
                       std::uint64_t ticks,
                       const std::int64_t* values,
                       std::uint64_t stack_pointer);
    template <std::size_t kCount>
    bool leave_numbers(std::uint64_t ticks, const std::int64_t* values);
    /// The same where `put` writes the values to a ValueWriter. There is room for them:
    /// has_room_for().
    template <std::size_t kCount, class Put>
    bool enter_as(Site& site, std::uint64_t ticks, std::uint64_t stack_pointer, Put put);
    template <std::size_t kCount, class Put>
    bool leave_as(std::uint64_t ticks, Put put);
    /// For a record with so many numbers, the elements of lists included; in a new block if need
    /// be. False also of records that may be longer than a block.
    bool has_room_for(std::size_t numbers) {
        const std::size_t bytes = kHeadBytes + numbers * model::kMaxVarintBytes;
        return has_room(bytes) || begin_block_for(bytes);
    }
    bool event(model::EventKind kind, const std::uint8_t* payload, std::size_t bytes);
    /// No record of this thread follows.
    void close();

    /// True while a record is written, as seen by a signal handler of the same thread.
    bool busy() const { return busy_; }
    /// How many blocks it has begun.
    std::uint64_t blocks() const { return sequence_; }
    bool has_open_calls() const { return depth_ != 0; }
    /// The innermost open call, if the thread has left it by a jump (longjmp, an exception from
    /// an error handler) instead of a return, as a call with this stack pointer shows; or null.
    const Site* left_behind(std::uint64_t stack_pointer) const;
    /// The procedure of the innermost open call, or null.
    const Site* innermost() const {
        return depth_ == 0 || depth_ > kMostOpen ? nullptr : open_[depth_ - 1].site;
    }

private:
    struct OpenCall {
        Site* site = nullptr;
        std::uint64_t event = 0;
        std::uint64_t stack_pointer = 0;
    };

    bool has_room(std::size_t bytes) const {
        return static_cast<std::size_t>(limit_ - position_) >= bytes;
    }
    [[gnu::cold]] bool next_block();
    [[gnu::cold]] bool begin_block_for(std::size_t bytes);
    bool make_room(std::size_t bytes) { return has_room(bytes) || next_block(); }
    bool make_room_for(std::size_t count, std::uint64_t lists, const std::int64_t* values) {
        return has_room(record_bound(count, lists, values)) || make_more_room(count, lists, values);
    }
    [[gnu::cold]] bool make_more_room(std::size_t count,
                                      std::uint64_t lists,
                                      const std::int64_t* values);
    std::uint8_t* put_ticks(std::uint8_t* out, std::uint64_t ticks) {
        const std::uint64_t now = ticks >> kTickShift;
        const std::uint64_t last = shifted_ticks_;
        if (now <= last) [[unlikely]]
            return model::put_varint(out, 0);
        shifted_ticks_ = now;
        return model::put_varint(out, now - last);
    }
    void commit(std::uint8_t* end) {
        position_ = end;
        block_.header->used.store(static_cast<std::uint32_t>(end - block_.records()),
                                  std::memory_order_release);
    }
    [[gnu::cold]] static void prepare(Site& site, std::uint64_t block);
    void open(Site& site, std::uint64_t stack_pointer) {
        open_[depth_++] = {&site, event_++, stack_pointer};
    }
    /// Up to the values.
    std::uint8_t* begin_enter(Site& site, std::uint64_t ticks) {
        if (site.block != sequence_) [[unlikely]]
            prepare(site, sequence_);
        std::uint8_t* out = put_encoded(position_, site.head);
        return put_encoded(put_ticks(out, ticks), site.stack_id);
    }
    [[gnu::always_inline]] std::uint8_t* begin_leave(Site& site, std::uint64_t ticks) {
        if (site.block != sequence_) [[unlikely]]
            prepare(site, sequence_);
        return put_ticks(put_head(position_, model::RecordKind::Leave, 0), ticks);
    }

    static constexpr std::size_t kMostOpen = 64;
    LogFile& file_;
    std::uint8_t* position_ = nullptr;
    std::uint8_t* limit_ = nullptr;
    std::uint64_t shifted_ticks_ = 0;  ///< of the last record, as a reader works them out
    std::uint64_t event_ = 0;          ///< number of the next Enter or Leave
    std::uint64_t sequence_ = 0;       ///< of the next block; so never 0 while there is one
    std::size_t depth_ = 0;
    Block block_;
    std::uint32_t thread_;
    volatile bool busy_ = false;
    OpenCall open_[kMostOpen];
};

template <std::size_t kCount>
[[gnu::always_inline]] inline bool ThreadLog::enter_numbers(Site& site,
                                                            std::uint64_t ticks,
                                                            const std::int64_t* values,
                                                            std::uint64_t stack_pointer) {
    if (depth_ == kMostOpen) [[unlikely]]
        return false;
    busy_ = true;
    const bool room = make_room(kHeadBytes + kCount * model::kMaxVarintBytes);
    if (room) [[likely]] {
        commit(put_numbers<kCount>(begin_enter(site, ticks), values, site.before_enter));
        open(site, stack_pointer);
    }
    busy_ = false;
    return room;
}

template <std::size_t kCount>
[[gnu::always_inline]] inline bool ThreadLog::leave_numbers(std::uint64_t ticks,
                                                            const std::int64_t* values) {
    if (depth_ == 0) [[unlikely]]
        return false;
    busy_ = true;
    const bool room = make_room(kHeadBytes + kCount * model::kMaxVarintBytes);
    --depth_;
    if (room) [[likely]] {
        Site& site = *open_[depth_].site;
        commit(put_numbers<kCount>(begin_leave(site, ticks), values, site.before_leave));
        ++event_;
    }
    busy_ = false;
    return room;
}

template <std::size_t kCount, class Put>
bool ThreadLog::enter_as(Site& site, std::uint64_t ticks, std::uint64_t stack_pointer, Put put) {
    if (depth_ == kMostOpen) [[unlikely]]
        return false;
    busy_ = true;
    ValueWriter writer(begin_enter(site, ticks), kCount, site.before_enter);
    put(writer);
    commit(writer.end());
    open(site, stack_pointer);
    busy_ = false;
    return true;
}

template <std::size_t kCount, class Put>
bool ThreadLog::leave_as(std::uint64_t ticks, Put put) {
    if (depth_ == 0) [[unlikely]]
        return false;
    busy_ = true;
    Site& site = *open_[--depth_].site;
    ValueWriter writer(begin_leave(site, ticks), kCount, site.before_leave);
    put(writer);
    commit(writer.end());
    ++event_;
    busy_ = false;
    return true;
}

}  // namespace mqinspect::tracer

/// A call of an MPI procedure, as its wrapper records it:
///
///     Call call;
///     if (!call.open(procedure, MQT_CALLER)) return pmpi().Send(...);
///     call.enter(values);
///     const int code = pmpi().Send(...);
///     call.returned();
///     call.leave(values);
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/control/errors.h"
#include "tracer/control/user_data.h"
#include "tracer/recorder.h"

/// Where in the program this wrapper was called, and the stack pointer there.
#define MQT_CALLER                                                \
    reinterpret_cast<std::uint64_t>(__builtin_return_address(0)), \
        reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa())

namespace mqinspect::tracer {

class Call {
public:
    Call() = default;
    ~Call() {
        if (thread_ != nullptr) thread_->scratch_used = scratch_mark_;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// False: it is not recorded.
    bool open(const Procedure& procedure,
              std::uint64_t return_address,
              std::uint64_t stack_pointer) {
        Thread* thread = this_thread;
        if (thread == nullptr || !recorder.recording()) [[unlikely]] {
            thread = recorder.thread();
            if (thread == nullptr) return false;
        }
        // A signal handler that calls MPI has interrupted the writing of a record.
        if (thread->log.busy()) return false;
        site_ =
            thread->sites.find(recorder.definitions(), procedure, return_address, stack_pointer);
        if (site_ == nullptr) return false;
        thread_ = thread;
        scratch_mark_ = thread->scratch_used;
        return true;
    }

    /// The values must stay until leave().
    void enter(const std::int64_t* values) {
        if (watched_pieces.load(std::memory_order_relaxed) != 0) [[unlikely]]
            look_at_watched(*thread_, site_->stack);
        if (site_->procedure->found_value != 0 && recorder.options().reduced) [[unlikely]] {
            put_off_ = values;
            put_off_ticks_ = ticks_now();
            return;
        }
        write_enter(values, ticks_now());
    }
    /// The procedure has just returned: what follows is not its time.
    void returned() {
        if (thread_->fatal_error) [[unlikely]]
            end_by_error();
        ticks_ = ticks_now();
    }
    /// The first value is the error code.
    void leave(const std::int64_t* values) {
        if (values[0] != 0) [[unlikely]]
            failed(static_cast<int>(values[0]));
        if (put_off_ != nullptr) [[unlikely]] {
            if (values[0] == 0 && values[site_->procedure->found_value] == 0) return;
            write_enter(put_off_, put_off_ticks_);
        }
        if (entered_) thread_->log.leave(ticks_, values);
    }

    /// Memory until the end of the call; null: more than there is.
    void* scratch(std::size_t bytes);
    template <class T>
    T* scratch_array(std::size_t count) {
        return static_cast<T*>(scratch(count * sizeof(T)));
    }
    /// An empty list of up to `capacity` elements. Never null; capacity may turn out to be less.
    List* list(std::size_t capacity);

    const Site& site() const { return *site_; }

private:
    void write_enter(const std::int64_t* values, std::uint64_t ticks) {
        entered_ = thread_->log.enter(*site_, ticks, values);
        if (thread_->log.blocks() != thread_->blocks_seen) [[unlikely]]
            recorder.block_begun(*thread_);
    }
    void failed(int code);

    Thread* thread_ = nullptr;
    Site* site_ = nullptr;
    std::uint64_t ticks_ = 0;
    const std::int64_t* put_off_ = nullptr;
    std::uint64_t put_off_ticks_ = 0;
    std::size_t scratch_mark_ = 0;
    bool entered_ = false;
};

}  // namespace mqinspect::tracer

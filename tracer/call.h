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
#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/control/user_data.h"
#include "tracer/handles/requests.h"
#include "tracer/pending.h"
#include "tracer/recorder.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

class Call {
public:
    Call() = default;
    ~Call() {
        if (thread_ == nullptr) return;
        thread_->scratch_used = scratch_mark_;
        if (watched_memory.load(std::memory_order_relaxed) != 0 && !thread_->log.has_open_calls())
            remember_memory(*thread_, *site_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// False: it is not recorded.
    [[gnu::always_inline]] bool open(const Procedure& procedure,
                                     std::uint64_t return_address,
                                     std::uint64_t stack_pointer) {
        Thread* thread = this_thread;
        if (thread == nullptr || !recorder.recording() || thread->log.busy()) [[unlikely]] {
            thread = thread_to_record();
            if (thread == nullptr) return false;
        }
        const bool on_stack = thread->sites.is_on_stack(stack_pointer);
        site_ = thread->sites.find(recorder.definitions(),
                                   {&procedure, return_address, stack_pointer, on_stack});
        if (site_ == nullptr) [[unlikely]] {
            pending_is_incomplete();
            forget_memory();
            return false;
        }
        thread_ = thread;
        if (thread->log.has_open_calls()) [[unlikely]]
            end_left_calls(stack_pointer);
        if (watched_memory.load(std::memory_order_relaxed) != 0 && !thread->log.has_open_calls())
            look_at_memory(*thread);
        if (on_stack) [[likely]]
            stack_pointer_ = stack_pointer;
        ++thread->pending.calls;
        scratch_mark_ = thread->scratch_used;
        return true;
    }

    /// The parts of a blocking call, for debuggers, until leave().
    void sends(const NewOperation& operation) {
        show(operation, thread_->pending.send);
        if (operation.communicator != nullptr)
            count_sent(*operation.communicator, operation.peer, operation.tag);
    }
    void receives(const NewOperation& operation) { show(operation, thread_->pending.receive); }

    /// The values of the parameters with Direction In and InOut; they must stay until leave().
    template <std::size_t kCount>
    [[gnu::noinline]] void enter(const std::int64_t (&values)[kCount]) {
        if (watched_pieces.load(std::memory_order_relaxed) != 0) [[unlikely]]
            look_at_watched(*thread_, site_->stack);
        const Procedure& procedure = *site_->procedure;
        if (procedure.found_value != 0 && recorder.options().reduced) [[unlikely]] {
            put_off_ = values;
            put_off_ticks_ = ticks_now();
        } else if (procedure.in_lists != 0) {
            write_enter(values, ticks_now());
        } else {
            entered_ =
                thread_->log.enter_numbers<kCount>(*site_, ticks_now(), values, stack_pointer_);
            look_at_blocks();
        }
    }
    /// Of a procedure without such parameters.
    void enter() { write_enter(nullptr, ticks_now()); }
    /// The procedure has just returned: what follows is not its time.
    void returned() {
        if (thread_->fatal_error) [[unlikely]]
            end_by_error();
        ticks_ = ticks_now();
    }
    /// The error code, then the values of the parameters with Direction Out and InOut.
    template <std::size_t kCount>
    [[gnu::noinline]] void leave(const std::int64_t (&values)[kCount]) {
        if (shown_)
            thread_->pending.send.kind = thread_->pending.receive.kind = pending::Kind::None;
        if (values[0] != 0) [[unlikely]]
            failed(static_cast<int>(values[0]));
        if (put_off_ != nullptr) [[unlikely]] {
            if (values[0] == 0 && values[site_->procedure->found_value] == 0) return;
            write_enter(put_off_, put_off_ticks_);
        }
        if (!entered_) [[unlikely]]
            return;
        if (site_->procedure->out_lists == 0) {
            thread_->log.leave_numbers<kCount>(ticks_, values);
        } else {
            thread_->log.leave(ticks_, values);
        }
    }

    /// Memory until the end of the call; null: more than there is.
    void* scratch(std::size_t bytes) {
        constexpr std::size_t alignment = 16;
        bytes = (bytes + alignment - 1) & ~(alignment - 1);
        Thread& thread = *thread_;
        if (bytes > thread.scratch_bytes - thread.scratch_used && !have_scratch(bytes)) [[unlikely]]
            return nullptr;
        void* result = thread.scratch + thread.scratch_used;
        thread.scratch_used += bytes;
        return result;
    }
    template <class T>
    T* scratch_array(std::size_t count) {
        return static_cast<T*>(scratch(count * sizeof(T)));
    }
    /// An empty list of up to `capacity` elements. Never null; capacity may turn out to be less.
    List* list(std::size_t capacity) {
        auto* list = static_cast<List*>(scratch(sizeof(List) + capacity * sizeof(std::int64_t)));
        if (list == nullptr) [[unlikely]]
            return no_list();
        list->length = 0;
        list->elements = reinterpret_cast<std::int64_t*>(list + 1);
        return list;
    }

    const Site& site() const { return *site_; }

private:
    /// Where it is not simply this_thread; null: none.
    static Thread* thread_to_record();
    bool have_scratch(std::size_t bytes);
    static List* no_list();
    void write_enter(const std::int64_t* values, std::uint64_t ticks) {
        entered_ = thread_->log.enter(*site_, ticks, values, stack_pointer_);
        look_at_blocks();
    }
    void look_at_blocks() {
        if (thread_->log.blocks() != thread_->blocks_seen) [[unlikely]]
            recorder.block_begun(*thread_);
    }
    void failed(int code);
    /// Calls that the thread has left by a jump have failed.
    void end_left_calls(std::uint64_t stack_pointer);
    void show(const NewOperation& from, pending::Operation& to) {
        describe(from, to);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        to.kind = from.kind;
        shown_ = true;
    }

    Thread* thread_ = nullptr;
    Site* site_ = nullptr;
    std::uint64_t ticks_ = 0;
    std::uint64_t stack_pointer_ = 0;  ///< 0: not on the stack of the thread
    const std::int64_t* put_off_ = nullptr;
    std::uint64_t put_off_ticks_ = 0;
    std::size_t scratch_mark_ = 0;
    bool entered_ = false;
    bool shown_ = false;
};

}  // namespace mqinspect::tracer

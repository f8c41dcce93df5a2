/// A call of an MPI procedure, as its wrapper records it:
///
///     Call call;
///     if (!call.open(procedure, MQT_CALLER)) return pmpi().Send(...);
///     call.enter(values);
///     const int code = pmpi().Send(...);
///     call.returned(...);
///     call.leave(values);
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/control/errors.h"
#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/control/user_data.h"
#include "tracer/export.h"
#include "tracer/handles/requests.h"
#include "tracer/pending.h"
#include "tracer/recorder.h"
#include "tracer/stack/python.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

class Call {
public:
    Call() = default;
    ~Call() {
        if (thread_ == nullptr) return;
        thread_->scratch_used = scratch_mark_;
        if (is_memory_watched() && !thread_->log.has_open_calls())
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
        const Place place{&procedure, return_address, stack_pointer, on_stack, return_address};
        if (python_runs) [[unlikely]] {
            site_ = find_in_script(*thread, place);
        } else {
            site_ = thread->sites.find(recorder.definitions(), place);
        }
        if (site_ == nullptr) [[unlikely]] {
            pending_is_incomplete();
            forget_memory();
            return false;
        }
        thread_ = thread;
        if (thread->log.has_open_calls()) [[unlikely]]
            end_left_calls(*thread, stack_pointer);
        if (is_memory_watched() && !thread->log.has_open_calls()) look_at_memory(*thread);
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
    [[gnu::always_inline]] void enter(const std::int64_t (&values)[kCount]) {
        if (site_->procedure->found_value != 0 && recorder.options().reduced) [[unlikely]] {
            put_off_ = values;
            put_off_ticks_ = ticks_now();
        } else {
            entered_ = write_enter_of<kCount>(*thread_, *site_, values, stack_pointer_);
        }
    }
    /// The same where `put` writes the values, with number() and list() of what it is given;
    /// `elements`: of the lists together, at most.
    template <std::size_t kCount, class Put>
    [[gnu::always_inline]] void enter_as(std::size_t elements, Put put) {
        look_at_pieces(*thread_, *site_);
        const bool put_off = site_->procedure->found_value != 0 && recorder.options().reduced;
        if (put_off || !thread_->log.has_room_for(kCount + elements)) [[unlikely]] {
            enter_gathered<kCount>(put_off, put);
            return;
        }
        entered_ = thread_->log.enter_as<kCount>(*site_, ticks_now(), stack_pointer_, put);
        look_at_blocks(*thread_);
    }
    /// Of a procedure without such parameters.
    void enter() { write_enter(nullptr, ticks_now()); }
    /// Behind a call that waits: its arguments have been in the wrapper's frame all the time, where
    /// debuggers find them. The program's own frames may have no debug information.
    template <class... Argument>
    [[gnu::always_inline]] static inline void keep(const Argument&... arguments) {
        (keep_one(arguments), ...);
    }
    /// The procedure has just returned: what follows is not its time. The arguments: see keep().
    template <class... Argument>
    [[gnu::always_inline]] inline void returned(const Argument&... arguments) {
        keep(arguments...);
        if (thread_->fatal_error) [[unlikely]]
            end_by_error();
        ticks_ = ticks_now();
    }
    /// Behind enter(): other threads, if there are any, may touch the buffers of this call.
    bool may_guard_meanwhile() const { return has_threads() && may_be_guarded_in_threads(*site_); }
    /// They are known (kUntilReturn).
    void guard_meanwhile() {
        guards_meanwhile_ = true;
        mqinspect::tracer::guard_meanwhile(*site_);
    }
    /// The error code, then the values of the parameters with Direction Out and InOut.
    template <std::size_t kCount>
    [[gnu::always_inline]] void leave(const std::int64_t (&values)[kCount]) {
        if (shown_)
            thread_->pending.send.kind = thread_->pending.receive.kind = pending::Kind::None;
        if (guards_meanwhile_) [[unlikely]]
            call_over(*thread_);
        if (values[0] != 0) [[unlikely]]
            failed(*site_, static_cast<int>(values[0]));
        if (put_off_ != nullptr) [[unlikely]] {
            if (values[0] == 0 && values[site_->procedure->found_value] == 0) return;
            write_enter(put_off_, put_off_ticks_);
        }
        if (!entered_) [[unlikely]]
            return;
        write_leave_of<kCount>(*thread_, *site_, values, ticks_);
    }

    /// The same where `put` writes them, as of enter_as(). `found`: Procedure::found_value.
    template <std::size_t kCount, class Put>
    [[gnu::always_inline]] void leave_as(int code, bool found, std::size_t elements, Put put) {
        if (code != 0) [[unlikely]]
            failed(*site_, code);
        if (put_off_ != nullptr) [[unlikely]] {
            if (code == 0 && !found) return;
            write_enter(put_off_, put_off_ticks_);
        }
        if (!entered_) [[unlikely]]
            return;
        if (thread_->log.has_room_for(kCount + elements)) [[likely]] {
            thread_->log.leave_as<kCount>(ticks_, put);
        } else {
            leave_gathered<kCount>(put);
        }
    }

    /// Memory until the end of the call; null: more than there is.
    void* scratch(std::size_t bytes) {
        constexpr std::size_t alignment = 16;
        bytes = (bytes + alignment - 1) & ~(alignment - 1);
        Thread& thread = *thread_;
        const bool fits = bytes <= thread.scratch_bytes - thread.scratch_used;
        if (!fits && !have_scratch(thread, bytes)) [[unlikely]]
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
    /// Something that reads it, for the compiler.
    template <class Argument>
    [[gnu::always_inline]] static inline void keep_one(const Argument& argument) {
        asm volatile("" : : "rm"(argument));
    }
    /// Stands in for a ValueWriter where values are to be kept.
    class Gatherer {
    public:
        Gatherer(Call& call, std::int64_t* values) : call_(call), next_(values) {}
        void number(std::int64_t value) { *next_++ = value; }
        template <std::size_t kWidth = 1, class Row>
        void list(std::size_t rows, Row row) {
            List* list = call_.list(rows * kWidth);
            for (std::size_t i = 0; list->elements != nullptr && i < rows; ++i) {
                row(i, list->elements + list->length);
                list->length += kWidth;
            }
            number(static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(list)));
        }
        void list_of_equal(std::size_t count, std::int64_t value) {
            list(count, [value](std::size_t /*i*/, std::int64_t* element) { *element = value; });
        }
        template <std::size_t kWidth, class Words, class Row>
        void list_of(bool /*all*/, std::size_t rows, Words /*words*/, Row row) {
            list<kWidth>(rows, row);
        }

    private:
        Call& call_;
        std::int64_t* next_;
    };
    template <std::size_t kCount, class Put>
    [[gnu::noinline, gnu::cold]] void enter_gathered(bool put_off, Put& put) {
        std::int64_t values[kCount];
        auto* kept = put_off ? scratch_array<std::int64_t>(kCount) : nullptr;
        Gatherer gatherer(*this, kept != nullptr ? kept : values);
        put(gatherer);
        if (kept != nullptr) {
            put_off_ = kept;
            put_off_ticks_ = ticks_now();
        } else {
            write_enter(values, ticks_now());
        }
    }
    template <std::size_t kCount, class Put>
    [[gnu::noinline, gnu::cold]] void leave_gathered(Put& put) {
        std::int64_t values[kCount];
        Gatherer gatherer(*this, values);
        put(gatherer);
        thread_->log.leave(ticks_, values);
    }
    /// Where the interpreter's one address stands for many lines; null: out of memory.
    [[gnu::cold]] static Site* find_in_script(Thread& thread, Place place);
    /// Where it is not simply this_thread; null: none.
    [[gnu::cold]] static Thread* thread_to_record();
    [[gnu::cold]] static bool have_scratch(Thread& thread, std::size_t bytes);
    [[gnu::cold]] static List* no_list();
    [[gnu::noinline]] void write_enter(const std::int64_t* values, std::uint64_t ticks) {
        entered_ = thread_->log.enter(*site_, ticks, values, stack_pointer_);
        look_at_blocks(*thread_);
    }
    /// Of the first calls of a site, whose buffers are looked at.
    [[gnu::cold]] static bool write_early_enter(Thread& thread,
                                                Site& site,
                                                const std::int64_t* values,
                                                std::uint64_t stack_pointer);
    // One copy for all procedures with so many values. Without `this`, a Call stays in registers.
    template <std::size_t kCount>
    [[gnu::noinline, gnu::hot]] static bool write_enter_of(Thread& thread,
                                                           Site& site,
                                                           const std::int64_t* values,
                                                           std::uint64_t stack_pointer) {
        if (site.heap_looks < kMostHeapLooks) [[unlikely]]
            return write_early_enter(thread, site, values, stack_pointer);
        look_at_pieces(thread, site);
        const bool entered =
            site.procedure->in_lists != 0
                ? thread.log.enter(site, ticks_now(), values, stack_pointer)
                : thread.log.enter_numbers<kCount>(site, ticks_now(), values, stack_pointer);
        look_at_blocks(thread);
        return entered;
    }
    template <std::size_t kCount>
    [[gnu::hot]] MQT_ONE_COPY static void write_leave_of(Thread& thread,
                                                         const Site& site,
                                                         const std::int64_t* values,
                                                         std::uint64_t ticks) {
        if (site.procedure->out_lists == 0) [[likely]] {
            thread.log.leave_numbers<kCount>(ticks, values);
        } else {
            thread.log.leave(ticks, values);
        }
    }
    static void look_at_pieces(Thread& thread, const Site& site) {
        if (watched_pieces.load(std::memory_order_relaxed) != 0) [[unlikely]]
            look_at_watched(thread, site.stack);
    }
    static void look_at_blocks(Thread& thread) {
        if (thread.log.blocks() != thread.blocks_seen) [[unlikely]]
            recorder.block_begun(thread);
    }
    [[gnu::cold]] static void failed(Site& site, int code);
    /// Calls that the thread has left by a jump have failed.
    [[gnu::cold]] static void end_left_calls(Thread& thread, std::uint64_t stack_pointer);
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
    bool guards_meanwhile_ = false;
};

}  // namespace mqinspect::tracer

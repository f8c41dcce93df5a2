/// The records of one thread, as calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/execution.h"

#include "trace_io/block_index.h"
#include "trace_io/byte_reader.h"
#include "trace_io/clock.h"
#include "trace_io/event_list.h"
#include "trace_io/process_files.h"
#include "trace_io/site_values.h"
#include "trace_io/translation.h"

namespace mqinspect::trace_io {

/// What the readers of all threads of a process share.
struct ProcessSource {
    model::ProcessId id;
    const ProcessFiles* files = nullptr;  ///< null: nothing is there of it
    Translation translation;
    std::vector<Coding> codings;  ///< by the process's procedure ids
    Clock clock;
};

/// Calls in the order of their entries. A call is handed out when its return has been read, or
/// when it is certain that there is none; until then those inside it (from a callback) wait in
/// memory. Reads the blocks as they were when the run was opened.
class ThreadReader {
public:
    /// Records that are neither calls nor returns go to `events`, if there is such a list.
    ThreadReader(const ProcessSource& source,
                 std::size_t thread,
                 EventList* events = nullptr,
                 Wanted wanted = Wanted::All);
    ~ThreadReader();
    ThreadReader(const ThreadReader&) = delete;
    ThreadReader& operator=(const ThreadReader&) = delete;

    /// As model::CallStream::next.
    bool next(model::RecordedCall& call);
    /// For readers that want no more than this, instead of next(): the procedure of the next call
    /// that has returned, in the order of the returns. False: there are no more.
    bool next_return(model::ProcedureId& procedure);

    /// After the last call: what is damaged, with file and offset; empty: all has been read.
    const std::string& problem() const { return problem_; }
    /// After the last call: the last record is a signal, of which nobody has come back.
    bool ends_with_signal() const { return after_signal_; }

private:
    enum class Step { Entered, Left, Other, End };
    struct Waiting;
    struct OpenCall {
        CallPlace* place = nullptr;
        std::uint64_t event = 0;
        Waiting* waiting = nullptr;
    };

    Step read_record();
    Step read_enter(std::uint64_t procedure);
    Step read_leave();
    Step read_event(std::uint64_t kind);
    Step read_resume(std::uint64_t procedure);
    bool is_procedure(std::uint64_t number) const;
    bool is_stack(std::uint64_t number) const;
    CallPlace* place_of(std::uint64_t stack, std::uint64_t procedure);
    CallPlace* new_place(std::uint64_t stack, std::uint64_t procedure);
    Step damaged_values(Site::Outcome outcome, std::string_view of);
    bool load_next_block();
    Step damage(std::string_view what);
    std::uint64_t place() const;
    std::int64_t now() { return source_->clock.nanoseconds(ticks_, clock_segment_); }

    void begin_call(model::RecordedCall& call);
    void end_call(model::RecordedCall& call);
    void wait_for_return(const model::RecordedCall& call);
    bool next_waiting(model::RecordedCall& call);
    bool next_is_return() const;

    const ProcessSource* source_;
    const ThreadBlocks* blocks_;
    EventList* events_;
    Wanted wanted_;
    std::uint32_t tick_shift_;
    std::vector<std::uint8_t> buffer_;
    ByteReader reader_{{}};
    std::size_t block_ = 0;         ///< the next one to load
    std::size_t record_begin_ = 0;  ///< of the last record, in its block
    std::uint64_t ticks_ = 0;
    std::size_t clock_segment_ = 0;
    std::uint64_t event_ = 0;  ///< number of the next Enter or Leave
    std::size_t resumed_ = 0;  ///< Resume records read in this block
    bool ended_ = false;
    bool after_signal_ = false;
    std::string problem_;
    CallPlaces places_;
    // Of the call that the last Leave ended. Copied one by one: a wide load would wait for the
    // narrow stores of the Enter just before.
    CallPlace* left_ = nullptr;
    Waiting* left_waiting_ = nullptr;
    std::vector<OpenCall> open_;
    std::deque<std::unique_ptr<Waiting>> waiting_;
    std::unique_ptr<Waiting> handed_out_;
};

}  // namespace mqinspect::trace_io

#include "trace_io/thread_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/record_format.h"

namespace mqinspect::trace_io {
namespace {

using model::BlockHeader;
using model::EventKind;
using model::RecordedCall;
using model::RecordedEvent;
using model::RecordKind;
using model::Value;

// Calls inside one that has not returned: a callback makes a few. The rest of a program that
// left a call by longjmp must not fill the memory.
constexpr std::size_t kMostWaiting = 1 << 16;

// The fields of an event's payload: n a number, t the text, k the stack;
// older recorders have left out what follows a question mark.
std::string_view fields_of(EventKind kind) {
    switch (kind) {
        case EventKind::Signal:
            return "nnnk";
        case EventKind::MpiError:
            return "nnt";
        case EventKind::UserData:
            return "tnnnk";
        case EventKind::Overwritten:
            return "nnn?k?n";
        case EventKind::Limit:
            return "t";
        case EventKind::Exit:
            return "n?k";
        case EventKind::Abort:
            return "n";
        case EventKind::LocalAccess:
            return "nnnk";
        case EventKind::MemoryFreed:
            return "nnk";
        case EventKind::HeapBlock:
            return "nnnn";
    }
    return "";
}

// Values and the lists that they show, in memory of their own.
class KeptValues {
public:
    void keep(std::span<const Value> values) {
        std::size_t elements = 0;
        for (const Value& value : values)
            elements += value.list.size();
        lists_.reserve(elements);
        values_.assign(values.begin(), values.end());
        for (Value& value : values_) {
            const std::size_t begin = lists_.size();
            lists_.insert(lists_.end(), value.list.begin(), value.list.end());
            value.list = std::span(lists_).subspan(begin);
        }
    }
    std::span<const Value> values() const { return values_; }

private:
    std::vector<Value> values_;
    std::vector<std::int64_t> lists_;
};

}  // namespace

// A call that has been entered and is not handed out yet.
struct ThreadReader::Waiting {
    RecordedCall call;
    KeptValues before;
    KeptValues after;
    bool done = false;
};

ThreadReader::ThreadReader(const ProcessSource& source,
                           std::size_t thread,
                           EventList* events,
                           Wanted wanted)
    : source_(&source),
      blocks_(&source.files->threads[thread]),
      events_(events),
      wanted_(wanted),
      tick_shift_(source.files->log->header().tick_shift),
      places_(source.translation.stacks.size()) {}

ThreadReader::~ThreadReader() = default;

std::uint64_t ThreadReader::place() const {
    const std::uint64_t block = block_ == 0 ? 0 : blocks_->blocks[block_ - 1].offset;
    return block + sizeof(BlockHeader) + record_begin_;
}

ThreadReader::Step ThreadReader::damage(std::string_view what) {
    ended_ = true;
    problem_ = fmt::format("{}: offset {}: {}; what thread {} did from there on is unknown",
                           source_->files->log->path(),
                           place(),
                           what,
                           blocks_->thread);
    return Step::End;
}

bool ThreadReader::load_next_block() {
    if (block_ == blocks_->blocks.size()) {
        ended_ = true;
        return false;
    }
    const bool first = block_ == 0;
    const BlockPlace& block = blocks_->blocks[block_++];
    record_begin_ = 0;
    buffer_.resize(block.used);
    const std::size_t there =
        source_->files->log->read(block.offset + sizeof(BlockHeader), std::span(buffer_));
    reader_ = ByteReader(std::span(buffer_).first(there));
    ticks_ = block.ticks;
    resumed_ = 0;
    if (there != block.used) {
        damage("the file ends within a block");
    } else if (!first && (block.first_event != event_ || block.open_calls != open_.size())) {
        damage("the block does not go on where the one before it ends");
    }
    if (first) event_ = block.first_event;
    return !ended_;
}

bool ThreadReader::is_procedure(std::uint64_t number) const {
    return number < source_->codings.size() && source_->codings[number].known;
}

bool ThreadReader::is_stack(std::uint64_t number) const {
    const Numbering& stacks = source_->translation.stacks;
    return number < stacks.size() && stacks[number] >= 0;
}

// Null: damage.
CallPlace* ThreadReader::new_place(std::uint64_t stack, std::uint64_t procedure) {
    const std::vector<Coding>& codings = source_->codings;
    if (procedure >= codings.size() || !codings[procedure].known) {
        damage(fmt::format("a call of procedure {}, which is not defined", procedure));
        return nullptr;
    }
    const Numbering& stacks = source_->translation.stacks;
    if (stack >= stacks.size() || stacks[stack] < 0) {
        damage(fmt::format("a call from stack {}, which is not defined", stack));
        return nullptr;
    }
    return places_.add(stack,
                       std::make_unique<CallPlace>(
                           codings[procedure], procedure, model::StackId(stacks[stack]), wanted_));
}

inline CallPlace* ThreadReader::place_of(std::uint64_t stack, std::uint64_t procedure) {
    CallPlace* const place = places_.find(stack, procedure);
    return place != nullptr ? place : new_place(stack, procedure);
}

ThreadReader::Step ThreadReader::damaged_values(Site::Outcome outcome, std::string_view of) {
    if (outcome == Site::Outcome::Damaged) return damage("a damaged record");
    return damage(fmt::format("a {} with something that is not defined", of));
}

inline ThreadReader::Step ThreadReader::read_enter(std::uint64_t procedure) {
    const std::uint64_t stack = reader_.varint();
    if (!reader_.ok()) return damage("a damaged record");
    CallPlace* const place = place_of(stack, procedure);
    if (place == nullptr) return Step::End;
    if (events_ != nullptr) events_->entered(place, left_);
    const Site::Outcome outcome = place->enter.read(reader_, source_->translation, block_);
    if (outcome != Site::Outcome::Read) return damaged_values(outcome, "call");
    OpenCall& open = open_.emplace_back();
    open.place = place;
    open.event = event_++;
    return Step::Entered;
}

inline ThreadReader::Step ThreadReader::read_leave() {
    if (open_.empty()) return damage("a return from no call");
    left_ = open_.back().place;
    left_waiting_ = open_.back().waiting;
    const Site::Outcome outcome = left_->leave.read(reader_, source_->translation, block_);
    if (outcome != Site::Outcome::Read) return damaged_values(outcome, "return");
    open_.pop_back();
    ++event_;
    return Step::Left;
}

ThreadReader::Step ThreadReader::read_record() {
    while (!ended_ && reader_.at_end())
        load_next_block();
    if (ended_) return Step::End;
    record_begin_ = reader_.offset();
    after_signal_ = false;
    const std::uint64_t head = reader_.varint();
    ticks_ += reader_.varint() << tick_shift_;
    if (!reader_.ok()) return damage("a damaged record");
    switch (static_cast<RecordKind>(head & 3U)) {
        case RecordKind::Enter:
            return read_enter(head >> 2U);
        case RecordKind::Leave:
            return read_leave();
        case RecordKind::Event:
            return read_event(head >> 2U);
        case RecordKind::Resume:
            break;
    }
    return read_resume(head >> 2U);
}

ThreadReader::Step ThreadReader::read_event(std::uint64_t kind) {
    ByteReader payload(reader_.bytes(reader_.length()));
    if (!reader_.ok()) return damage("a damaged record");
    const std::string_view fields = kind > UINT8_MAX ? "" : fields_of(static_cast<EventKind>(kind));
    after_signal_ = kind == static_cast<std::uint64_t>(EventKind::Signal);
    // Kinds that we do not know are passed over.
    if (events_ == nullptr || fields.empty()) return Step::Other;
    RecordedEvent event;
    event.process = source_->id;
    event.thread = static_cast<int>(blocks_->thread);
    event.kind = static_cast<EventKind>(kind);
    event.event = event_ == 0 ? 0 : event_ - 1;
    event.time_ns = now();
    event.numbers.reserve(fields.size());
    for (const char field : fields) {
        if (field == '?') {
            if (payload.at_end()) break;
        } else if (field == 't') {
            event.text = payload.text();
        } else if (field == 'n') {
            event.numbers.push_back(payload.number());
        } else {
            const Numbering& stacks = source_->translation.stacks;
            const auto stack = static_cast<std::uint64_t>(payload.number());
            if (stack < stacks.size() && stacks[stack] >= 0)
                event.stack = model::StackId(stacks[stack]);
        }
    }
    if (!payload.ok()) return damage("a damaged record");
    events_->add(std::move(event));
    return Step::Other;
}

ThreadReader::Step ThreadReader::read_resume(std::uint64_t procedure) {
    const std::uint64_t stack = reader_.varint();
    const std::uint64_t event = reader_.varint();
    if (!reader_.ok() || !is_procedure(procedure) || !is_stack(stack) || resumed_ > open_.size())
        return damage("a damaged record");
    if (resumed_ == open_.size()) {
        // Only where the blocks before are lost: what it was given is not known.
        if (block_ != 1) return damage("a call goes on that was not entered");
        CallPlace* const place = place_of(stack, procedure);
        if (place == nullptr) return Step::End;
        open_.push_back({place, event, nullptr});
    }
    const OpenCall& open = open_[resumed_++];
    if (open.place->number != procedure || open.event != event)
        return damage("a call goes on that was not entered");
    return Step::Other;
}

inline void ThreadReader::begin_call(RecordedCall& call) {
    const OpenCall& open = open_.back();
    call.process = source_->id;
    call.thread = static_cast<int>(blocks_->thread);
    call.procedure = open.place->procedure;
    call.stack = open.place->stack;
    call.event = open.event;
    call.leave_event.reset();
    call.enter_ns = now();
    call.leave_ns = 0;
    call.error_code = 0;
    call.before = open.place->enter.values();
    call.after = {};
}

inline void ThreadReader::end_call(RecordedCall& call) {
    call.leave_event = event_ - 1;
    call.leave_ns = now();
    call.error_code = left_->leave.error_code();
    call.after = left_->leave.values();
}

inline bool ThreadReader::next_is_return() const {
    return !reader_.at_end() &&
           reader_.next_byte_kind() == static_cast<unsigned>(RecordKind::Leave);
}

void ThreadReader::wait_for_return(const RecordedCall& call) {
    auto waiting = std::make_unique<Waiting>();
    waiting->call = call;
    waiting->before.keep(call.before);
    waiting->call.before = waiting->before.values();
    open_.back().waiting = waiting.get();
    waiting_.push_back(std::move(waiting));
}

bool ThreadReader::next_waiting(RecordedCall& call) {
    while (!waiting_.front()->done && !ended_ && waiting_.size() < kMostWaiting) {
        const Step step = read_record();
        if (step == Step::Entered) {
            RecordedCall inner;
            begin_call(inner);
            wait_for_return(inner);
        } else if (step == Step::Left && left_waiting_ != nullptr) {
            Waiting& waiting = *left_waiting_;
            end_call(waiting.call);
            waiting.after.keep(left_->leave.values());
            waiting.call.after = waiting.after.values();
            waiting.done = true;
        }
    }
    handed_out_ = std::move(waiting_.front());
    waiting_.pop_front();
    for (OpenCall& open : open_) {
        if (open.waiting == handed_out_.get()) open.waiting = nullptr;
    }
    call = handed_out_->call;
    return true;
}

bool ThreadReader::next_return(model::ProcedureId& procedure) {
    Step step = Step::Other;
    while (step == Step::Entered || step == Step::Other)
        step = read_record();
    if (step == Step::End) return false;
    procedure = left_->procedure;
    return true;
}

bool ThreadReader::next(RecordedCall& call) {
    if (!waiting_.empty()) return next_waiting(call);
    Step step = Step::Other;
    while (step == Step::Left || step == Step::Other)
        step = read_record();
    if (step == Step::End) return false;
    begin_call(call);
    // Mostly a call makes no other and ends in the same block: nothing is copied.
    if (next_is_return() && read_record() == Step::Left) {
        end_call(call);
        return true;
    }
    if (ended_) return true;
    wait_for_return(call);
    return next_waiting(call);
}

}  // namespace mqinspect::trace_io

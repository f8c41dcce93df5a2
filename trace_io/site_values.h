/// The values of calls, decoded against the call before from the same place.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/execution.h"

#include "trace_io/byte_reader.h"
#include "trace_io/translation.h"

namespace mqinspect::trace_io {

/// One value of a record's Values.
struct CodedValue {
    std::uint32_t parameter = 0;  ///< its subscript; of the error code: Coding::parameters
    model::ParameterKind kind = model::ParameterKind::Other;
};

/// What of the values a reader wants.
enum class Wanted : std::uint8_t {
    All,
    Nothing,  ///< they are passed over, but what makes a record damaged is seen
};

/// How a procedure's records are written.
struct Coding {
    bool known = false;
    model::ProcedureId procedure;  ///< of the run
    std::uint32_t parameters = 0;  ///< how many there are
    std::vector<CodedValue> enter;
    std::vector<CodedValue> leave;
};

/// `number` is the procedure's in the run; -1: it is not defined.
Coding coding_of(const model::Procedure& procedure, std::int32_t number);

/// The values of the last record of one RecordKind, procedure and stack: those of the process
/// and those of the run.
class Site {
public:
    /// `values`: Coding::enter or Coding::leave, `parameters` as there.
    Site(const std::vector<CodedValue>& values, std::size_t parameters, Wanted wanted);

    enum class Outcome { Read, Damaged, Undefined };
    /// `block`: a number that no other block of the reader has had.
    Outcome read(ByteReader& reader, const Translation& translation, std::uint64_t block);

    /// By parameter; valid until the next read.
    std::span<const model::Value> values() const { return {shown_.data(), shown_.size() - 1}; }
    std::int64_t error_code() const { return shown_.back().number; }

private:
    enum class Decoding : std::uint8_t { Number, Translated, List, PassedNumber, PassedList };
    /// How a value is decoded, and the number that the next record is the difference from.
    struct Slot {
        std::int64_t before = 0;
        std::uint32_t parameter = 0;
        model::ParameterKind kind{};
        Decoding decoding{};
    };

    static Decoding decoding_of(model::ParameterKind kind, Wanted wanted);
    bool begin_block(const Translation& translation, std::uint64_t coming);
    bool read_value(ByteReader& reader, const Translation& translation, std::size_t at);
    bool read_rest(ByteReader& reader, const Translation& translation);
    bool read_list(ByteReader& reader, const Translation& translation, std::size_t at);

    std::vector<Slot> slots_;
    std::vector<std::vector<std::int64_t>> lists_;  ///< by slot
    std::vector<model::Value> shown_;               ///< by parameter, and the error code
    std::uint64_t possible_ = 0;                    ///< what may be in a record's `changed`
    std::uint64_t block_ = 0;
};

/// From where a procedure is called, with its last entry and its last return.
struct CallPlace {
    CallPlace(const Coding& coding,
              std::uint64_t of_process,
              model::StackId called_from,
              Wanted wanted)
        : number(of_process),
          procedure(coding.procedure),
          stack(called_from),
          enter(coding.enter, coding.parameters, wanted),
          leave(coding.leave, coding.parameters, wanted) {}

    std::uint64_t number;  ///< the process's, of the procedure
    model::ProcedureId procedure;
    model::StackId stack;
    Site enter;
    Site leave;
    std::unique_ptr<CallPlace> next;  ///< from the same stack
};

/// The places of one reader: few to each stack, mostly one.
class CallPlaces {
public:
    explicit CallPlaces(std::size_t stacks) : by_stack_(stacks) {}

    /// Null: there is none. The numbers are those of the process, and may be any.
    CallPlace* find(std::uint64_t stack, std::uint64_t procedure) const {
        if (stack >= by_stack_.size()) return nullptr;
        CallPlace* place = by_stack_[stack].get();
        while (place != nullptr && place->number != procedure)
            place = place->next.get();
        return place;
    }

    /// Precondition: the stack's number is below `stacks`, and there is no such place.
    CallPlace* add(std::uint64_t stack, std::unique_ptr<CallPlace> place) {
        place->next = std::move(by_stack_[stack]);
        by_stack_[stack] = std::move(place);
        return by_stack_[stack].get();
    }

private:
    std::vector<std::unique_ptr<CallPlace>> by_stack_;
};

}  // namespace mqinspect::trace_io

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
    std::int16_t parameter = 0;  ///< subscript in Procedure::parameters; -1: the error code
    model::ParameterKind kind = model::ParameterKind::Integer;
    bool list = false;
};

/// What of the values a reader wants.
enum class Wanted : std::uint8_t {
    All,
    NoLists,  ///< lists are shown as empty, and checked all the same
};

/// How a procedure's records are written.
struct Coding {
    bool known = false;
    model::ProcedureId procedure;  ///< of the run
    std::size_t parameters = 0;
    std::vector<CodedValue> enter;
    std::vector<CodedValue> leave;
};

/// `number` is the procedure's in the run; -1: it is not defined.
Coding coding_of(const model::Procedure& procedure, std::int32_t number);

/// The values of the last record of one RecordKind, procedure and stack: those of the process
/// and those of the run.
class Site {
public:
    Site(const Coding& coding, const std::vector<CodedValue>& values, Wanted wanted)
        : values_(&values),
          wanted_(wanted),
          raw_(values.size()),
          lists_(values.size()),
          shown_(coding.parameters) {}

    enum class Outcome { Read, Damaged, Undefined };
    /// `block`: a number that no other block of the reader has had.
    Outcome read(ByteReader& reader, const Translation& translation, std::uint64_t block);

    /// By parameter; valid until the next read.
    std::span<const model::Value> values() const { return shown_; }
    std::int64_t error_code() const { return error_code_; }

private:
    void forget();
    bool show_unchanged(const Translation& translation, std::uint64_t changed);
    bool read_value(ByteReader& reader, const Translation& translation, std::size_t at);
    bool show_number(const Translation& translation, std::size_t at);
    bool read_list(ByteReader& reader, const Translation& translation, std::size_t at);

    const std::vector<CodedValue>* values_;
    Wanted wanted_;
    std::vector<std::int64_t> raw_;
    std::vector<std::vector<std::int64_t>> lists_;
    std::vector<model::Value> shown_;
    std::int64_t error_code_ = 0;
    std::uint64_t block_ = 0;
};

/// The sites of one reader: few to each stack, mostly one.
class SiteTable {
public:
    SiteTable(std::size_t stacks, Wanted wanted) : wanted_(wanted), by_stack_(stacks) {}
    /// Precondition: the stack's number is below `stacks`.
    Site& enter(std::uint64_t stack, std::uint64_t procedure, const Coding& coding) {
        return find(stack, 2 * procedure, coding, coding.enter);
    }
    Site& leave(std::uint64_t stack, std::uint64_t procedure, const Coding& coding) {
        return find(stack, 2 * procedure + 1, coding, coding.leave);
    }

private:
    struct Entry {
        std::uint64_t key = 0;
        std::unique_ptr<Site> site;
    };
    Site& find(std::uint64_t stack,
               std::uint64_t key,
               const Coding& coding,
               const std::vector<CodedValue>& values) {
        std::vector<Entry>& entries = by_stack_[stack];
        for (Entry& entry : entries) {
            if (entry.key == key) return *entry.site;
        }
        entries.push_back({key, std::make_unique<Site>(coding, values, wanted_)});
        return *entries.back().site;
    }

    Wanted wanted_;
    std::vector<std::vector<Entry>> by_stack_;
};

}  // namespace mqinspect::trace_io

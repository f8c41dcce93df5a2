/// The procedures that are wrapped: generated from procedures.txt.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/record_format.h"

namespace mqinspect::tracer {

struct Parameter {
    const char* name;
    model::ParameterKind kind;
    model::Direction direction;
};

struct Procedure {
    const char* name;
    const Parameter* parameters;
    std::uint8_t parameter_count;
    std::uint8_t in_count;   ///< values of an Enter
    std::uint8_t out_count;  ///< values of a Leave, with the error code
    std::uint64_t in_lists;  ///< bit i: value i is a list
    std::uint64_t out_lists;
    std::size_t subscript;  ///< in all procedures
    /// The value of a Leave that is 0 where a call has only looked and found nothing; 0: none.
    std::uint8_t found_value;
};

constexpr std::size_t kMostProcedures = 1024;

class DefinitionsFile;

/// Its id in the log of this process, defined when it is first asked for. Thread-safe.
std::uint32_t procedure_id(DefinitionsFile& definitions, const Procedure& procedure);

}  // namespace mqinspect::tracer

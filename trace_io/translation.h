/// From the numbers of one process to those of the whole run, value by value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/execution.h"

namespace mqinspect::trace_io {

/// The subscript is the process's number, the content the run's; -1: undefined.
using Numbering = std::vector<std::int32_t>;

struct Translation {
    Numbering procedures;
    Numbering stacks;
    Numbering communicators;
    Numbering datatypes;
    Numbering operators;
    Numbering windows;
    Numbering files;
    Numbering texts;
    std::int32_t first_of_world = 0;  ///< ProcessId of rank 0 of the process's world
    std::int32_t world_size = 0;

    /// What the process's MPI library has for the numbers of execution.h.
    struct Constants {
        std::int64_t proc_null = model::kProcNull;
        std::int64_t any_source = model::kAnySource;
        std::int64_t root = model::kRoot;
        std::int64_t any_tag = model::kAnyTag;
        std::int64_t undefined = model::kUndefined;
        std::int64_t bottom = model::kBottom;
        std::int64_t in_place = model::kInPlace;
        std::int64_t unweighted = model::kUnweighted;
    } constants;
};

/// A number as Execution has it. False: it names something that the process has not defined.
bool translate(const Translation& translation, model::ParameterKind kind, std::int64_t& value);
/// A list, in its place.
bool translate(const Translation& translation,
               model::ParameterKind kind,
               std::span<std::int64_t> list);

/// True: Execution has a number of this kind as the process has it.
constexpr bool is_the_same(model::ParameterKind kind) {
    using model::ParameterKind;
    return kind == ParameterKind::Request || kind == ParameterKind::Message ||
           kind == ParameterKind::Flag || kind == ParameterKind::Checksum ||
           kind == ParameterKind::Address || kind == ParameterKind::Other;
}
/// True: a list of this kind may name something that is not defined.
constexpr bool names_definitions(model::ParameterKind kind) {
    return kind == model::ParameterKind::DatatypeList;
}

}  // namespace mqinspect::trace_io

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

        std::int64_t rank(std::int64_t value) const {
            if (value >= 0) return value;
            if (value == proc_null) return model::kProcNull;
            if (value == any_source) return model::kAnySource;
            if (value == root) return model::kRoot;
            // An invalid rank that happens to be one of our numbers would pass for it.
            constexpr std::int64_t out_of_the_way = -1000;
            return value >= model::kRoot ? value + out_of_the_way : value;
        }
        std::int64_t tag(std::int64_t value) const {
            if (value >= 0) return value;
            if (value == any_tag) return model::kAnyTag;
            return value == model::kAnyTag ? INT32_MIN : value;
        }
        std::int64_t address(std::int64_t value) const {
            if (value == in_place) return model::kInPlace;
            return value == bottom ? model::kBottom : value;
        }
    } constants;
};

/// The run's number of what the process has numbered so, unless it is a null or invalid handle.
/// False: it is not defined.
inline bool renumber(const Numbering& numbering, std::int64_t& value) {
    if (value == model::kNullHandle || value == model::kInvalidHandle) return true;
    if (value < 0 || static_cast<std::size_t>(value) >= numbering.size()) return false;
    value = numbering[static_cast<std::size_t>(value)];
    return value >= 0;
}

/// A number as Execution has it. False: it names something that the process has not defined.
[[gnu::always_inline]] inline bool translate(const Translation& translation,
                                             model::ParameterKind kind,
                                             std::int64_t& value) {
    using model::ParameterKind;
    switch (kind) {
        case ParameterKind::Communicator:
            return renumber(translation.communicators, value);
        case ParameterKind::Datatype:
            return renumber(translation.datatypes, value);
        case ParameterKind::Operator:
            return renumber(translation.operators, value);
        case ParameterKind::Window:
            return renumber(translation.windows, value);
        case ParameterKind::File:
            return renumber(translation.files, value);
        case ParameterKind::Text:
            return renumber(translation.texts, value);
        case ParameterKind::Rank:
            value = translation.constants.rank(value);
            return true;
        case ParameterKind::Tag:
            value = translation.constants.tag(value);
            return true;
        case ParameterKind::Buffer:
            value = translation.constants.address(value);
            return true;
        case ParameterKind::Integer:
        case ParameterKind::Count:
            if (value == translation.constants.undefined) value = model::kUndefined;
            return true;
        default:
            return true;
    }
}

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
/// True: values of this kind may name something that is not defined.
constexpr bool names_definitions(model::ParameterKind kind) {
    using model::ParameterKind;
    return kind == ParameterKind::Communicator || kind == ParameterKind::Datatype ||
           kind == ParameterKind::Operator || kind == ParameterKind::Window ||
           kind == ParameterKind::File || kind == ParameterKind::Text ||
           kind == ParameterKind::DatatypeList;
}

}  // namespace mqinspect::trace_io

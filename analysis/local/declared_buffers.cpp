#include "analysis/local/declared_buffers.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/datatypes/type_map.h"

namespace mqinspect::analysis {
namespace {

using model::DeclaredBuffer;
using model::DeclaredElement;
using model::Role;

// What is wrong with a datatype shows in its first elements.
constexpr std::size_t kMaxElements = 512;

std::string type_text(const DeclaredBuffer& declared) {
    return declared.type.starts_with('?') ? "with a type that has no name" : "as " + declared.type;
}

std::string element_text(const DeclaredElement& element) {
    switch (element.kind) {
        case DeclaredElement::Kind::Float:
            return "a floating-point number of " + bytes_text(element.size);
        case DeclaredElement::Kind::Pointer:
            return "a pointer";
        default:
            return "an integer of " + bytes_text(element.size);
    }
}

bool fits(const DeclaredElement& declared, const DeclaredElement& mapped) {
    if (declared.size != mapped.size) return false;
    // Addresses are sent as numbers.
    const bool address = declared.kind == DeclaredElement::Kind::Pointer &&
                         mapped.kind == DeclaredElement::Kind::Integer;
    return declared.kind == mapped.kind || address;
}

/// MPI_Compare_and_swap has no floating-point numbers: who swaps them gives integers of their size
/// (MPI 4.0, 12.3.4).
bool swaps_as_integer(const CallView& view,
                      const DeclaredElement& declared,
                      const DeclaredElement& mapped) {
    return view.local.buffers == BufferRule::CompareAndSwap && declared.size == mapped.size &&
           declared.kind == DeclaredElement::Kind::Float &&
           mapped.kind == DeclaredElement::Kind::Integer;
}

/// The declared element that shares bytes with one of the datatype's and is none like it. Null:
/// it fits, or nothing is declared there.
const DeclaredElement* conflict(const DeclaredBuffer& declared, const DeclaredElement& mapped) {
    if (mapped.offset < 0) return nullptr;
    if (declared.described && mapped.offset + mapped.size > *declared.described) return nullptr;
    const std::int64_t at = (declared.start + mapped.offset) % declared.period;
    for (const DeclaredElement& element : declared.elements) {
        // It may begin in front of the pattern's end.
        for (const std::int64_t begin : {element.offset, element.offset + declared.period}) {
            if (begin >= at + mapped.size || begin + element.size <= at) continue;
            if (begin != at || !fits(element, mapped)) return &element;
        }
    }
    return nullptr;
}

/// All of an object is moved, as integers of another length.
bool only_renamed(const CallView& view,
                  const Access& access,
                  std::int64_t base,
                  const DeclaredBuffer& declared,
                  const DeclaredElement& mapped) {
    constexpr auto integer = DeclaredElement::Kind::Integer;
    const bool computes = view.in(Role::Operator) != nullptr;
    return !computes && mapped.kind == integer && access.hull.low == base &&
           access.hull.high - base == declared.room &&
           std::ranges::count(declared.elements, integer, &DeclaredElement::kind) ==
               static_cast<std::ptrdiff_t>(declared.elements.size());
}

}  // namespace

void DeclaredBuffers::check(const CallView& view, const std::vector<Access>& accesses) {
    if (options_.text == nullptr) return;
    for (const Access& access : accesses) {
        const auto parameter = buffer_parameter(view, access);
        const DeclaredBuffer* const buffer = parameter ? declared(view, *parameter) : nullptr;
        if (buffer == nullptr) continue;
        const std::int64_t base = view.call.before[*parameter].number;
        if (check_room(view, access, base, *buffer)) check_type(view, access, base, *buffer);
    }
    if (const auto memory = given_memory(view, execution_)) check_given(view, *memory);
}

const DeclaredBuffer* DeclaredBuffers::declared(const CallView& view, std::size_t parameter) const {
    const std::int64_t base = view.call.before[parameter].number;
    return base == model::kBottom || base == model::kInPlace
               ? nullptr
               : options_.text->buffer(view.call, parameter);
}

void DeclaredBuffers::check_given(const CallView& view, const GivenMemory& memory) {
    const DeclaredBuffer* const buffer = declared(view, memory.parameter);
    if (buffer == nullptr || !buffer->room || memory.bytes <= *buffer->room) return;
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_, {{site_of(view.call)}});
    if (finding != nullptr) {
        finding->spoils_memory = memory.writes;
        finding->message = view.name() + std::string{memory.use} + bytes_text(memory.bytes) +
                           " of '" + buffer->text + "', which is declared " + type_text(*buffer) +
                           " and has " + std::to_string(*buffer->room) + ".";
    }
}

std::string DeclaredBuffers::use_of(const CallView& view,
                                    const Access& access,
                                    const DeclaredBuffer& declared) const {
    return view.name() + (access.writes ? " puts " : " takes ") +
           signatures_.describe(access.type, access.count) +
           (access.writes ? " into '" : " from '") + declared.text + "', which is declared " +
           type_text(declared);
}

bool DeclaredBuffers::check_room(const CallView& view,
                                 const Access& access,
                                 std::int64_t base,
                                 const DeclaredBuffer& declared) {
    const std::int64_t needed = access.hull.high - base;
    if (!declared.room || needed <= *declared.room) return true;
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         may_be_shorter(view, access) ? Severity::Warning : Severity::Error,
                         process_,
                         {{site_of(view.call)}});
    if (finding != nullptr) {
        finding->spoils_memory = access.writes;
        finding->message = use_of(view, access, declared) + ": that needs " + bytes_text(needed) +
                           ", but there " + (*declared.room == 1 ? "is " : "are ") +
                           std::to_string(*declared.room) + ".";
    }
    return false;
}

void DeclaredBuffers::check_type(const CallView& view,
                                 const Access& access,
                                 std::int64_t base,
                                 const DeclaredBuffer& declared) {
    if (declared.elements.empty() || declared.period <= 0) return;
    for (MappedElement mapped : type_map(execution_, access.type, access.count, kMaxElements)) {
        mapped.element.offset += access.address - base;
        const DeclaredElement* const other = conflict(declared, mapped.element);
        if (other == nullptr || swaps_as_integer(view, *other, mapped.element)) continue;
        const bool renamed = only_renamed(view, access, base, declared, mapped.element);
        const bool first = !reporter_.last();
        Finding* const finding = reporter_.report(FindingClass::WrongDataType,
                                                  renamed ? Severity::Note : Severity::Warning,
                                                  process_,
                                                  {{site_of(view.call)}});
        if (finding != nullptr) {
            finding->message = use_of(view, access, declared) + ": the " +
                               execution_.datatypes[mapped.type.index()].name + " at byte " +
                               std::to_string(mapped.element.offset) + " is " +
                               element_text(*other) + ".";
        }
        // No call fails because of it.
        if (first) reporter_.forget_last();
        return;
    }
}

}  // namespace mqinspect::analysis

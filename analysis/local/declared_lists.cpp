#include "analysis/local/declared_lists.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "analysis/program_text.h"

namespace mqinspect::analysis {
namespace {

using model::Direction;
using model::ParameterKind;
using model::Role;

// MPI_SOURCE, MPI_TAG, MPI_ERROR, and what MPICH and Open MPI have at least besides.
constexpr std::int64_t kStatusBytes = 20;

/// Of the library, which in Fortran are variables that say nothing: MPI_STATUSES_IGNORE.
bool is_constant_of_mpi(std::string_view text) {
    const auto upper = [](char one) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(one)));
    };
    constexpr std::string_view prefix = "MPI_";
    return text.size() >= prefix.size() &&
           std::ranges::equal(text.substr(0, prefix.size()), prefix, {}, upper);
}

/// How many bytes MPI takes one entry for, at most; 0: it depends on the library.
std::int64_t entry_bytes(const CallView& view, ParameterKind kind) {
    switch (kind) {
        case ParameterKind::IntegerList:
        case ParameterKind::RankList:
            return 4;
        case ParameterKind::CountList:
            return view.name().ends_with("_c") ? 8 : 4;
        case ParameterKind::AddressList:
        case ParameterKind::RequestList:
        case ParameterKind::DatatypeList:
            return 8;
        case ParameterKind::Status:
        case ParameterKind::StatusList:
            return kStatusBytes;
        default:
            return 0;
    }
}

std::string_view noun_of(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::RequestList:
            return "request";
        case ParameterKind::DatatypeList:
            return "datatype";
        case ParameterKind::Status:
        case ParameterKind::StatusList:
            return "status";
        default:
            return "number";
    }
}

std::string counted(std::int64_t count, std::string_view noun) {
    const std::string_view plural = noun == "status" ? "es" : "s";
    return std::to_string(count) + " " + std::string(noun) + std::string(count == 1 ? "" : plural);
}

/// MPI_IN_PLACE for the send buffer has these ignored (MPI 4.0, 6.8).
bool is_ignored(const CallView& view, Role role) {
    const bool of_send =
        role == Role::SendCount || role == Role::SendDisplacements || role == Role::SendDatatype;
    return of_send && view.number(Role::SendBuffer) == model::kInPlace;
}

/// All requests have one, whatever of them the call has written.
std::int64_t statuses(const CallView& view, const model::Value& after) {
    const RequestAction action = view.local.requests;
    if (action == RequestAction::Waitall || action == RequestAction::Testall)
        return static_cast<std::int64_t>(view.requests().size());
    return static_cast<std::int64_t>(after.list.size() / model::kStatusValues);
}

}  // namespace

// "Storage that is at least ... characters long" (MPI 4.0, 9.1.2), or a length that the call gives.
// A text that happens to be shorter does no harm.
DeclaredLists::Use DeclaredLists::use_of_text(const CallView& view, std::size_t parameter) const {
    struct Room {
        std::string_view procedure;
        std::string_view constant;
    };
    static constexpr Room rooms[] = {{"MPI_Get_processor_name", "MPI_MAX_PROCESSOR_NAME"},
                                     {"MPI_Error_string", "MPI_MAX_ERROR_STRING"},
                                     {"MPI_Comm_get_name", "MPI_MAX_OBJECT_NAME"},
                                     {"MPI_Type_get_name", "MPI_MAX_OBJECT_NAME"},
                                     {"MPI_Win_get_name", "MPI_MAX_OBJECT_NAME"},
                                     {"MPI_Get_library_version", "MPI_MAX_LIBRARY_VERSION_STRING"},
                                     {"MPI_Info_get_nthkey", "MPI_MAX_INFO_KEY"},
                                     {"MPI_Open_port", "MPI_MAX_PORT_NAME"},
                                     {"MPI_Lookup_name", "MPI_MAX_PORT_NAME"},
                                     {"MPI_File_get_view", "MPI_MAX_DATAREP_STRING"}};
    Use use{.entry_bytes = 1, .noun = "character", .writes = true};
    if (view.succeeded() && parameter < view.call.after.size()) {
        const model::Value& text = view.call.after[parameter];
        if (text.number >= 0)
            use.written = static_cast<std::int64_t>(text_of(execution_, &text).size()) + 1;
    }
    const auto room = std::ranges::find(rooms, view.name(), &Room::procedure);
    if (room != std::end(rooms)) {
        use.entries = execution_.constant(room->constant, 0);
        use.certain = false;
        return use;
    }
    // With "valuelen" the terminating NUL comes on top, but hardly any value is as long as that.
    for (const char* const name : {"valuelen", "buflen", "pset_len"}) {
        if (const model::Value* const length = view.named(name))
            use.entries = std::max<std::int64_t>(length->number, 0);
    }
    return use;
}

DeclaredLists::Use DeclaredLists::use_of(const CallView& view, std::size_t parameter) const {
    const model::Parameter& one = view.local.procedure->parameters[parameter];
    if (one.kind == ParameterKind::Text && one.direction == Direction::Out)
        return use_of_text(view, parameter);
    Use use{.entry_bytes = entry_bytes(view, one.kind), .noun = noun_of(one.kind)};
    if (use.entry_bytes == 0 || is_ignored(view, one.role)) return use;
    use.writes = one.direction == Direction::Out;
    if (one.kind == ParameterKind::Status) {
        use.entries = 1;
        return use;
    }
    static const model::Value none;
    const bool returned = view.call.leave_event && parameter < view.call.after.size();
    const model::Value& after = returned ? view.call.after[parameter] : none;
    if (one.kind == ParameterKind::StatusList) {
        use.entries = statuses(view, after);
        return use;
    }
    const model::Value& value = use.writes ? after : view.call.before[parameter];
    use.entries = static_cast<std::int64_t>(value.list.size());
    // The length of others is the caller's, of which the library may need a part only.
    use.certain = !use.writes || one.role == Role::Indices;
    return use;
}

void DeclaredLists::check(const CallView& view) {
    if (options_.text == nullptr) return;
    const std::size_t count =
        std::min(view.local.procedure->parameters.size(), view.call.before.size());
    for (std::size_t at = 0; at < count; ++at)
        check(view, at);
}

void DeclaredLists::check(const CallView& view, std::size_t parameter) {
    Use use = use_of(view, parameter);
    if (use.entries == 0) return;
    const model::DeclaredBuffer* const declared = options_.text->buffer(view.call, parameter);
    if (declared == nullptr || !declared->room || is_constant_of_mpi(declared->text)) return;
    const bool text = use.entry_bytes == 1;
    // Fortran's texts bring their lengths with them.
    if (text && (declared->unit != 1 || declared->type.starts_with("character"))) return;
    const bool status = use.entry_bytes == kStatusBytes;
    if (status && declared->unit > kStatusBytes) use.entry_bytes = declared->unit;
    if (!status && !text) {
        // Handles are of four bytes in MPICH and in Fortran.
        if (declared->unit != 4 && declared->unit != 8) return;
        use.entry_bytes = std::min(use.entry_bytes, declared->unit);
    }
    const std::int64_t needed = std::max(use.entries * use.entry_bytes, use.written);
    if (needed <= *declared->room) return;
    const bool too_long = use.written > *declared->room;
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         use.certain || too_long ? Severity::Error : Severity::Warning,
                         process_,
                         {{site_of(view.call)}});
    if (finding != nullptr) {
        finding->spoils_memory = too_long;
        finding->message = view.name() +
                           (text         ? " may put "
                            : use.writes ? " puts "
                                         : " takes ") +
                           counted(use.entries, use.noun) + (use.writes ? " into '" : " from '") +
                           declared->text + "', which is declared as " + declared->type +
                           ": that needs " + std::to_string(needed) + " bytes, but there " +
                           (*declared->room == 1 ? "is " : "are ") +
                           std::to_string(*declared->room) + ".";
    }
}

}  // namespace mqinspect::analysis

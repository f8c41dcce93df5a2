#include "analysis/local/fortran_kinds.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/program_text.h"

namespace mqinspect::analysis {
namespace {

using model::Direction;
using model::ParameterKind;

constexpr std::int64_t kLongBytes = 8;

/// The constant for the kind of integer that Fortran gives; empty: a default integer, or something
/// else.
std::string_view kind_of(std::string_view procedure, const model::Parameter& parameter) {
    constexpr std::string_view address = "MPI_ADDRESS_KIND";
    constexpr std::string_view offset = "MPI_OFFSET_KIND";
    const std::string_view name = parameter.name;
    if (procedure.ends_with("_c") || procedure.starts_with("MPI_T_")) return {};
    if (procedure.starts_with("MPI_File_")) {
        const bool whole = name == "size" || name == "offset" || name == "disp";
        if (whole) return offset;
        return name == "extent" ? address : std::string_view{};
    }
    if (name == "target_disp") return address;
    if (procedure == "MPI_Win_create" || procedure.starts_with("MPI_Win_allocate") ||
        procedure == "MPI_Win_attach" || procedure == "MPI_Win_shared_query" ||
        procedure == "MPI_Alloc_mem")
        return name == "size" ? address : std::string_view{};
    if (procedure == "MPI_Get_address") return name == "address" ? address : std::string_view{};
    if (procedure == "MPI_Type_get_extent" || procedure == "MPI_Type_get_true_extent" ||
        procedure == "MPI_Type_create_resized")
        return parameter.kind == ParameterKind::Datatype ? std::string_view{} : address;
    if (procedure == "MPI_Type_create_hvector") return name == "stride" ? address : "";
    const bool list = parameter.kind == ParameterKind::AddressList;
    return list && procedure.starts_with("MPI_Type_create_") ? address : std::string_view{};
}

}  // namespace

void FortranKinds::check(const CallView& view) {
    if (options_.text == nullptr) return;
    for (std::size_t at = 0; at < view.local.procedure->parameters.size(); ++at)
        check(view, at);
}

void FortranKinds::check(const CallView& view, std::size_t parameter) {
    const model::Parameter& one = view.local.procedure->parameters[parameter];
    if (model::is_of_recorder(one.kind)) return;
    const std::string_view kind = kind_of(view.name(), one);
    if (kind.empty()) return;
    const model::DeclaredBuffer* const declared = options_.text->buffer(view.call, parameter);
    constexpr std::string_view integer = "integer(kind=";
    if (declared == nullptr || !declared->type.starts_with(integer) || declared->unit <= 0 ||
        declared->unit >= kLongBytes)
        return;
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_, {{site_of(view.call)}});
    if (finding == nullptr) return;
    finding->spoils_memory = one.direction != Direction::In;
    finding->message = view.name() + " is given '" + declared->text + "' as " + one.name +
                       ", which is declared as " + declared->type +
                       ", where it needs an integer(kind=" + std::string{kind} + "), of " +
                       bytes_text(kLongBytes) + ".";
}

}  // namespace mqinspect::analysis

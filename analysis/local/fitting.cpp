#include "analysis/local/fitting.h"

#include <string_view>

namespace mqinspect::analysis {

namespace {

/// "Comm" of MPI_Comm_set_errhandler and of the old MPI_Errhandler_create.
std::string_view object_of(std::string_view procedure) {
    procedure.remove_prefix(4);
    const std::string_view object = procedure.substr(0, procedure.find('_'));
    return object == "Errhandler" ? "Comm" : object;
}

std::string_view noun_of(std::string_view object) {
    if (object == "Comm") return "communicators";
    if (object == "Win") return "windows";
    return object == "File" ? "files" : "sessions";
}

std::string other_error_handler(const CallView& view,
                                const Handles& handles,
                                const model::Execution& execution,
                                const CallSite*& made) {
    const model::Value* const handler = view.named("errhandler");
    if (handler == nullptr || view.name().ends_with("_free")) return {};
    const CallSite* const maker = handles.made_by(HandleKind::ErrorHandler, *handler);
    if (maker == nullptr || maker->procedure.value < 0) return {};
    const std::string_view procedure = execution.procedures[maker->procedure.index()].name;
    // What others have given out may be predefined, and is for anything then.
    const bool creates =
        procedure.ends_with("create_errhandler") || procedure == "MPI_Errhandler_create";
    if (!creates || object_of(procedure) == object_of(view.name())) return {};
    made = maker;
    return "an error handler that was made for " + std::string{noun_of(object_of(procedure))};
}

/// Only where both are of known elements: everything may be seen as bytes.
std::string other_elements(const CallView& view,
                           const TypeSignatures& signatures,
                           const model::Execution& execution) {
    const model::Value* const etype = view.named("etype");
    const model::Value* const filetype = view.named("filetype");
    if (etype == nullptr || filetype == nullptr) return {};
    const model::RecordedDatatype* const element = execution.datatype(etype->number);
    const model::RecordedDatatype* const whole = execution.datatype(filetype->number);
    if (element == nullptr || whole == nullptr || element->size <= 0 || whole->size <= 0 ||
        is_of_bytes(*element))
        return {};
    const model::DatatypeId one{static_cast<int>(etype->number)};
    const model::DatatypeId all{static_cast<int>(filetype->number)};
    const std::int64_t copies = whole->size / element->size;
    const Fit fit = copies > 0 ? signatures.fit(one, copies, all, 1) : Fit::Different;
    if (fit == Fit::Equal || fit == Fit::Unknown) return {};
    return "a file type, " + signatures.describe(all, 1) +
           ", that does not consist of whole elementary types, " + signatures.describe(one, 1);
}

}  // namespace

std::string misfit(const CallView& view,
                   const Handles& handles,
                   const TypeSignatures& signatures,
                   const model::Execution& execution,
                   const CallSite*& made) {
    if (view.local.definition == DefinitionRule::ErrorHandler)
        return other_error_handler(view, handles, execution, made);
    if (view.local.definition == DefinitionRule::FileView)
        return other_elements(view, signatures, execution);
    return {};
}

}  // namespace mqinspect::analysis

// Calls that MPI, or a function of the program's own that it calls, has refused (process_check.h).

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "analysis/local/process_check.h"

namespace mqinspect::analysis {

namespace {

// Error classes that say which argument is wrong (MPI 4.0, 9.4).
constexpr std::string_view kArgumentErrors[] = {
    "MPI_ERR_BUFFER",     "MPI_ERR_COUNT",      "MPI_ERR_TYPE",       "MPI_ERR_TAG",
    "MPI_ERR_COMM",       "MPI_ERR_RANK",       "MPI_ERR_ROOT",       "MPI_ERR_ARG",
    "MPI_ERR_REQUEST",    "MPI_ERR_GROUP",      "MPI_ERR_OP",         "MPI_ERR_TOPOLOGY",
    "MPI_ERR_DIMS",       "MPI_ERR_WIN",        "MPI_ERR_BASE",       "MPI_ERR_SIZE",
    "MPI_ERR_DISP",       "MPI_ERR_LOCKTYPE",   "MPI_ERR_ASSERT",     "MPI_ERR_KEYVAL",
    "MPI_ERR_RMA_RANGE",  "MPI_ERR_INFO",       "MPI_ERR_INFO_KEY",   "MPI_ERR_INFO_VALUE",
    "MPI_ERR_RMA_ATTACH", "MPI_ERR_RMA_SHARED", "MPI_ERR_RMA_FLAVOR", "MPI_ERR_FILE",
    "MPI_ERR_AMODE",      "MPI_ERR_READ_ONLY",  "MPI_ERR_NOT_SAME"};
// Those that tell of the file system what a program may want to know.
constexpr std::string_view kFileAnswers[] = {"MPI_ERR_NO_SUCH_FILE",
                                             "MPI_ERR_FILE_EXISTS",
                                             "MPI_ERR_ACCESS",
                                             "MPI_ERR_READ_ONLY",
                                             "MPI_ERR_NO_SPACE",
                                             "MPI_ERR_QUOTA",
                                             "MPI_ERR_BAD_FILE",
                                             "MPI_ERR_FILE_IN_USE"};

bool is_opening(const CallView& view) {
    return view.name() == "MPI_File_open" || view.name() == "MPI_File_delete";
}

/// Of an `open` file MPI_ERR_ACCESS says that it was opened for something else.
bool is_argument_error(std::string_view known, bool open) {
    return (open && known == "MPI_ERR_ACCESS") ||
           std::ranges::find(kArgumentErrors, known) != std::end(kArgumentErrors);
}

}  // namespace

const model::RecordedEvent* ProcessCheck::error_of(const CallView& view) const {
    const auto found = errors_.find({view.call.thread, view.call.event});
    return found == errors_.end() ? nullptr : found->second;
}

void ProcessCheck::report_error(const CallView& view,
                                const model::RecordedEvent* event,
                                bool generalized) {
    const bool ended = !view.call.leave_event;
    const auto cause = reporter_.last();
    Finding* finding = cause ? &findings_.findings[*cause] : nullptr;
    if (finding != nullptr) {
        add_consequence(*finding, "MPI refused the call: " + refusal_text(view, event));
    } else {
        finding = report_refusal(view, event, generalized);
    }
    if (!ended) return;
    ending_.refused = true;
    if (finding == nullptr) return;
    add_consequence(*finding, "The error handler has ended the process.");
    finding->ends_process = true;
    ending_.refusal = static_cast<std::size_t>(finding - findings_.findings.data());
}

Finding* ProcessCheck::report_refusal(const CallView& view,
                                      const model::RecordedEvent* event,
                                      bool generalized) {
    const bool ended = !view.call.leave_event;
    const FindingClass finding_class = class_of_refusal(view, event);
    const std::int64_t code = error_code_of(view, event);
    const std::string_view own =
        finding_class == FindingClass::MpiError || generalized
            ? refusals_.own_function(view, code, error_class_of(view, event), generalized)
            : std::string_view{};
    const model::Value* const given =
        view.name().ends_with("_call_errhandler") ? view.named("errorcode") : nullptr;
    const bool raised = given != nullptr && given->number == code;
    if (own.empty() && !raised) {
        Finding* const finding =
            reporter_.report(finding_class,
                             ended ? Severity::Error : severity_of_refusal(view, event),
                             process_.id,
                             {{site_of(view.call)}});
        if (finding != nullptr)
            finding->message = "MPI refused " + view.name() + ": " + refusal_text(view, event);
        return finding;
    }
    Finding* const finding = reporter_.report(FindingClass::MpiError,
                                              ended ? Severity::Error : Severity::Warning,
                                              process_.id,
                                              {{site_of(view.call)}});
    // What it would have freed is left for that reason.
    handles_.freed_late(view);
    if (finding == nullptr) return nullptr;
    finding->message = view.name() +
                       (raised ? " gives the error handler an error of the program's own: "
                               : " has failed because " + std::string{own} +
                                     ", which is the program's own, has returned an error: ") +
                       error_text(code) + ".";
    return finding;
}

std::int64_t ProcessCheck::error_code_of(const CallView& view, const model::RecordedEvent* event) {
    const bool told = event != nullptr && !event->numbers.empty();
    return told ? event->numbers[0] : view.call.error_code;
}

std::string ProcessCheck::refusal_text(const CallView& view,
                                       const model::RecordedEvent* event) const {
    if (event != nullptr && !event->text.empty()) return event->text;
    return error_text(error_code_of(view, event));
}

const model::RecordedErrorCode* ProcessCheck::error_code(std::int64_t code) const {
    return execution_.error_code(process_.id, code);
}

std::string ProcessCheck::error_text(std::int64_t code) const {
    const model::RecordedErrorCode* const known = error_code(code);
    std::string number = "error code " + std::to_string(code);
    if (known == nullptr) return number;
    if (known->error_class.empty()) return number + (known->text.empty() ? "" : ": ") + known->text;
    return known->error_class + (known->text.empty() ? "" : ": ") + known->text;
}

std::string_view ProcessCheck::error_class_of(const CallView& view,
                                              const model::RecordedEvent* event) const {
    const auto* const known = error_code(error_code_of(view, event));
    return known != nullptr ? known->error_class : std::string_view{};
}

FindingClass ProcessCheck::class_of_refusal(const CallView& view,
                                            const model::RecordedEvent* event) const {
    const std::string_view known = error_class_of(view, event);
    if (known == "MPI_ERR_RMA_SYNC") return FindingClass::EpochError;
    if (known == "MPI_ERR_RMA_CONFLICT") return FindingClass::RmaConflict;
    // The buffer of MPI_Buffer_attach is too small, or there is none: no argument of this call.
    if (known == "MPI_ERR_BUFFER" &&
        view.local.procedure->function.mode == model::SendMode::Buffered)
        return FindingClass::MpiError;
    return is_argument_error(known, !is_opening(view)) ? FindingClass::InvalidArgument
                                                       : FindingClass::MpiError;
}

// Of a call that returns an error. For files that is what MPI does unless it is told otherwise
// (MPI 4.0, 14.7), and programs ask in this way: whether a file exists by opening it.
Severity ProcessCheck::severity_of_refusal(const CallView& view,
                                           const model::RecordedEvent* event) const {
    const bool opening = is_opening(view);
    const std::string_view known = error_class_of(view, event);
    // Who looks up a name asks whether it is published, perhaps again and again.
    if (view.name() == "MPI_Lookup_name" && known == "MPI_ERR_NAME") return Severity::Note;
    if (!opening && view.in(model::Role::File) == nullptr) return Severity::Error;
    if (opening && std::ranges::find(kFileAnswers, known) != std::end(kFileAnswers))
        return Severity::Note;
    return is_argument_error(known, !opening) ? Severity::Error : Severity::Warning;
}

}  // namespace mqinspect::analysis

#include "analysis/local/file_elements.h"

#include <string>

#include "analysis/datatypes/checked.h"
#include "analysis/datatypes/contents.h"

namespace mqinspect::analysis {

using model::Role;

void FileElements::check(const CallView& view) {
    const std::int64_t file = view.number(Role::File, model::kNullHandle);
    if (view.name() == "MPI_File_set_view") return set_view(view, file);
    const auto seen = views_.find(file);
    if (seen == views_.end()) return;
    if (view.name() == "MPI_File_close") {
        views_.erase(seen);
    } else if (view.local.buffers == BufferRule::FileRead ||
               view.local.buffers == BufferRule::FileWrite) {
        check_access(view, seen->second);
    }
}

void FileElements::set_view(const CallView& view, std::int64_t file) {
    if (!view.succeeded()) return;
    views_.erase(file);
    const model::Value* const etype = view.named("etype");
    const model::RecordedDatatype* const element =
        etype == nullptr ? nullptr : execution_.datatype(etype->number);
    if (element == nullptr || element->size <= 0 || is_of_bytes(*element)) return;
    views_[file] = {model::DatatypeId{static_cast<int>(etype->number)}, site_of(view.call)};
}

void FileElements::check_access(const CallView& view, const View& seen) {
    const std::int64_t type = view.number(Role::Datatype, model::kNullHandle);
    const std::int64_t count = view.number(Role::Count);
    const model::RecordedDatatype* const moved = execution_.datatype(type);
    const std::int64_t element = execution_.datatypes[seen.element.index()].size;
    const auto bytes = moved == nullptr ? std::nullopt : checked_product(moved->size, count);
    if (!bytes || *bytes <= 0) return;
    const model::DatatypeId id{static_cast<int>(type)};
    const bool whole = *bytes % element == 0;
    const Fit fit = signatures_.fit(id, count, seen.element, *bytes / element);
    if (whole && (fit == Fit::Equal || fit == Fit::Unknown)) return;
    // In the file they are the same bytes.
    const bool as_bytes = is_of_bytes(*moved) || element == 1;
    Finding* const finding =
        reporter_.report(whole ? FindingClass::WrongDataType : FindingClass::InvalidArgument,
                         whole && as_bytes ? Severity::Warning : Severity::Error,
                         process_,
                         {{site_of(view.call)}, {seen.set, "sets the view", false}});
    if (finding == nullptr) return;
    finding->message = view.name() + " is given " + signatures_.describe(id, count) +
                       (whole ? ", but the view of the file consists of "
                              : ", which are no whole elementary types of the view of the file, ") +
                       signatures_.describe(seen.element, 1) +
                       (whole ? " as elementary type: they must be the same elements." : ".");
}

}  // namespace mqinspect::analysis

#include "analysis/local/split_collectives.h"

namespace mqinspect::analysis {

using model::Role;

namespace {

/// One call that does all of it, or starts it: MPI_File_write_all, MPI_File_iread_at_all_c,
/// MPI_File_read_ordered.
bool is_collective_access(std::string_view procedure) {
    if (procedure.ends_with("_c")) procedure.remove_suffix(2);
    const bool access = procedure.find("read") != std::string_view::npos ||
                        procedure.find("write") != std::string_view::npos;
    return access && (procedure.ends_with("_all") || procedure.ends_with("_ordered"));
}

}  // namespace

void SplitCollectives::check(const CallView& view, const std::vector<Access>& accesses) {
    const std::int64_t file = view.number(Role::File, model::kNullHandle);
    if (file < 0) return;
    if (view.name().ends_with("_begin") || view.name().ends_with("_begin_c"))
        return begin(view, accesses, file);
    const auto refused = refused_.find(file);
    const auto found = begun_.find(file);
    if (view.name().ends_with("_end") && refused != refused_.end() &&
        (found == begun_.end() || view.number(Role::Buffer) == refused->second.buffer)) {
        reporter_.follow(refused->second.finding);
        refused_.erase(refused);
        return;
    }
    if (found == begun_.end()) return;
    if (view.name().ends_with("_end")) {
        end(view, found->second);
    } else if (view.name() == "MPI_File_close") {
        close(view, found->second);
    } else {
        if (is_collective_access(view.name())) access_within(view, found->second);
        if (view.local.takes_none_pending) pending_at(view, found->second);
        return;
    }
    overlaps_.active().remove(found->second.used);
    begun_.erase(found);
}

void SplitCollectives::begin(const CallView& view,
                             const std::vector<Access>& accesses,
                             std::int64_t file) {
    const auto earlier = begun_.find(file);
    if (earlier != begun_.end()) second(view, earlier->second, file);
    if (!view.succeeded()) return;
    Begun& begun = begun_[file];
    overlaps_.active().remove(begun.used);
    begun = {site_of(view.call), view.number(Role::Buffer), view.name(), kNoSlot};
    for (const Access& access : accesses)
        begun.used = overlaps_.active().add(access, begun.site, false, begun.used);
}

Finding* SplitCollectives::report(const CallView& view,
                                  FindingClass finding_class,
                                  const Begun& begun) {
    return reporter_.report(finding_class,
                            Severity::Error,
                            process_,
                            {{site_of(view.call)}, {begun.site, "has not been ended", false}});
}

/// A file handle has one of them at a time.
void SplitCollectives::second(const CallView& view, const Begun& first, std::int64_t file) {
    Finding* const finding = report(view, FindingClass::InvalidArgument, first);
    if (reporter_.last() && !view.succeeded())
        refused_[file] = {view.number(Role::Buffer), *reporter_.last()};
    if (finding == nullptr) return;
    finding->message = view.name() + " is given a file with a split collective operation that " +
                       first.procedure + " has begun and that has not been ended.";
}

void SplitCollectives::access_within(const CallView& view, const Begun& begun) {
    Finding* const finding = report(view, FindingClass::InvalidArgument, begun);
    if (finding == nullptr) return;
    finding->message = view.name() + " is given a file with a split collective operation that " +
                       begun.procedure +
                       " has begun and that has not been ended: until then no other collective "
                       "access is permitted.";
}

void SplitCollectives::pending_at(const CallView& view, const Begun& begun) {
    Finding* const finding = report(view, FindingClass::PendingOperation, begun);
    if (finding == nullptr) return;
    finding->message = view.name() +
                       " is called for a file with a split collective operation that " +
                       begun.procedure + " has begun: that has to be ended first.";
}

namespace {

/// "MPI_File_write_all" of both MPI_File_write_all_begin and MPI_File_write_all_end.
std::string_view operation_of(std::string_view procedure) {
    for (const std::string_view part : {"_begin_c", "_begin", "_end"}) {
        if (procedure.ends_with(part)) return procedure.substr(0, procedure.size() - part.size());
    }
    return procedure;
}

}  // namespace

void SplitCollectives::end(const CallView& view, const Begun& begun) {
    const model::Value* const buffer = view.in(Role::Buffer);
    const std::string_view operation = operation_of(begun.procedure);
    const bool is_other = operation_of(view.name()) != operation;
    if (!is_other && (buffer == nullptr || buffer->number == begun.buffer)) return;
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         Severity::Error,
                         process_,
                         {{site_of(view.call)}, {begun.site, "began it", false}});
    if (finding == nullptr) return;
    finding->message = is_other ? view.name() + " is to end an operation that " + begun.procedure +
                                      " has begun: that takes " + std::string(operation) + "_end."
                                : view.name() + " is given another buffer than " + begun.procedure +
                                      ", which has begun the operation.";
}

void SplitCollectives::close(const CallView& view, const Begun& begun) {
    Finding* const finding =
        reporter_.report(FindingClass::UnfinishedCollective,
                         Severity::Error,
                         process_,
                         {{begun.site}, {site_of(view.call), "closes the file", false}});
    if (finding == nullptr) return;
    finding->message = "The operation that " + begun.procedure +
                       " begins is never ended: MPI_File_close is called before.";
}

}  // namespace mqinspect::analysis

#include "analysis/local/split_collectives.h"

namespace mqinspect::analysis {

using model::Role;

void SplitCollectives::check(const CallView& view, const std::vector<Access>& accesses) {
    const std::int64_t file = view.number(Role::File, model::kNullHandle);
    if (file < 0) return;
    const bool begins = view.name().ends_with("_begin") || view.name().ends_with("_begin_c");
    if (const auto earlier = begun_.find(file); begins && earlier != begun_.end())
        begin_again(view, earlier->second);
    if (begins && view.succeeded()) {
        Begun& begun = begun_[file];
        overlaps_.active().remove(begun.used);
        begun = {site_of(view.call), view.number(Role::Buffer), view.name(), kNoSlot};
        for (const Access& access : accesses)
            begun.used = overlaps_.active().add(access, begun.site, false, begun.used);
        return;
    }
    const auto found = begun_.find(file);
    if (found == begun_.end()) return;
    if (view.name().ends_with("_end")) {
        end(view, found->second);
    } else if (view.name() == "MPI_File_close") {
        close(view, found->second);
    } else {
        return;
    }
    overlaps_.active().remove(found->second.used);
    begun_.erase(found);
}

void SplitCollectives::begin_again(const CallView& view, const Begun& begun) {
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         Severity::Error,
                         process_,
                         {{site_of(view.call)}, {begun.site, "not yet ended", false}});
    if (finding == nullptr) return;
    finding->message = view.name() + " is given a file on which " + begun.procedure +
                       " has begun an operation that has not ended: there may be one at a time.";
}

void SplitCollectives::end(const CallView& view, const Begun& begun) {
    const model::Value* const buffer = view.in(Role::Buffer);
    if (buffer == nullptr || buffer->number == begun.buffer) return;
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument,
                         Severity::Error,
                         process_,
                         {{site_of(view.call)}, {begun.site, "began it", false}});
    if (finding == nullptr) return;
    finding->message = view.name() + " is given another buffer than " + begun.procedure +
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

#include "analysis/local/shared_pointers.h"

#include <string>
#include <vector>

namespace mqinspect::analysis {

void SharedPointers::check(const CallView& view, std::int64_t file, const FileView& seen) {
    const auto [place, is_first] =
        first_.try_emplace({file, seen.times_set()}, First{view.call.process, seen});
    if (is_first || place->second.process == view.call.process) return;
    if (seen.differs_from(place->second.seen, footprints_)) report(view, seen, place->second);
}

void SharedPointers::report(const CallView& view, const FileView& seen, const First& first) {
    std::vector<Involved> calls{{site_of(view.call)}};
    if (seen.set_by()) calls.push_back({*seen.set_by(), "sets the view", false});
    if (first.seen.set_by())
        calls.push_back({*first.seen.set_by(), "sets another view", false, first.process});
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument, Severity::Error, view.call.process, calls);
    if (finding == nullptr) return;
    finding->message = view.name() +
                       " uses the shared file pointer, but the view of the file is another one "
                       "than that of process " +
                       rank_number(execution_, first.process) +
                       ": they must be the same, or the pointer means different places.";
}

}  // namespace mqinspect::analysis

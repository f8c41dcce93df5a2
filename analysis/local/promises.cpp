#include "analysis/local/promises.h"

#include <algorithm>
#include <string>

#include "analysis/local/conflict_report.h"

namespace mqinspect::analysis {

using model::ProcessId;
using model::Role;

namespace {

constexpr std::int64_t kMostPosts = 1000;

bool updates(const TargetAccess& access) {
    return access.effect == TargetAccess::Effect::Write ||
           (access.effect == TargetAccess::Effect::Accumulate &&
            access.op != TargetAccess::kNoOperation);
}

}  // namespace

Promises::Promises(const model::Execution& execution, const WindowFacts& facts, Reporter& reporter)
    : execution_(execution),
      facts_(facts),
      reporter_(reporter),
      no_store_(execution.constant("MPI_MODE_NOSTORE", 2048)),
      no_put_(execution.constant("MPI_MODE_NOPUT", 4096)) {
    numbers_known_ = std::ranges::none_of(execution.processes, &model::RecordedProcess::incomplete);
}

void Promises::fence(const CallView& view, const WindowView& window, std::int64_t id) {
    if (!numbers_known_) return;
    if (window.fences > 0) check_stores(view, window);
    const std::size_t members = facts_.members(id)->size();
    Fence& passed = fences_[{id, window.fences}];
    if (passed.passed++ == 0) {
        passed.process = view.call.process;
        passed.site = site_of(view.call);
        passed.assertion = view.number(Role::Assertion);
    } else {
        compare(view, passed);
    }
    if ((view.number(Role::Assertion) & no_put_) != 0) {
        const CallSite site = site_of(view.call);
        passed.promised.emplace(view.call.process, site);
        const auto update = passed.updated.find(view.call.process);
        if (update != passed.updated.end()) report_update(view.call.process, site, update->second);
    }
    // All are beyond the epoch of the one before.
    if (passed.passed == members) fences_.erase({id, window.fences - 1});
}

void Promises::compare(const CallView& view, Fence& first) {
    const std::pair<const char*, std::int64_t> common[] = {
        {"MPI_MODE_NOPRECEDE", execution_.constant("MPI_MODE_NOPRECEDE", 8192)},
        {"MPI_MODE_NOSUCCEED", execution_.constant("MPI_MODE_NOSUCCEED", 16384)}};
    const std::int64_t assertion = view.number(Role::Assertion);
    for (const auto& [name, bit] : common) {
        if (first.reported || (assertion & bit) == (first.assertion & bit)) continue;
        first.reported = true;
        const bool here = (assertion & bit) != 0;
        Finding* const finding =
            reporter_.report(FindingClass::EpochError,
                             Severity::Error,
                             view.call.process,
                             {{site_of(view.call), here ? "asserts it" : "does not"},
                              {first.site, here ? "does not" : "asserts it", true, first.process}});
        if (finding == nullptr) return;
        finding->message = std::string{name} +
                           " is given to MPI_Win_fence by some of the processes, but must be given "
                           "by all or by none.";
    }
}

void Promises::check_stores(const CallView& view, const WindowView& window) {
    if ((view.number(Role::Assertion) & no_store_) == 0 || !window.stored) return;
    Finding* const finding = reporter_.report(FindingClass::EpochError,
                                              Severity::Error,
                                              view.call.process,
                                              {{site_of(view.call)}, involved(*window.stored)});
    if (finding == nullptr) return;
    finding->message = view.name() +
                       " asserts with MPI_MODE_NOSTORE that the process has not written to its own "
                       "memory of the window since the synchronization before, but it has.";
}

void Promises::access_after_fence(std::int64_t id,
                                  std::int64_t fences,
                                  ProcessId target,
                                  const TargetAccess& access) {
    if (!numbers_known_ || !updates(access)) return;
    Fence& fence = fences_[{id, fences - 1}];
    fence.updated.emplace(target, access);
    const auto promise = fence.promised.find(target);
    if (promise != fence.promised.end()) report_update(target, promise->second, access);
}

void Promises::post(const CallView& view, const WindowView& window, std::int64_t id) {
    check_stores(view, window);
    // What belongs to an earlier one has been read.
    posts_.erase({id, view.call.process, *window.posted - kMostPosts});
    if ((view.number(Role::Assertion) & no_put_) != 0)
        posts_.emplace(std::tuple{id, view.call.process, *window.posted}, site_of(view.call));
}

void Promises::access_after_post(std::int64_t id,
                                 std::int64_t post,
                                 ProcessId target,
                                 const TargetAccess& access) {
    const auto promise = posts_.find({id, target, post});
    if (promise != posts_.end() && updates(access)) report_update(target, promise->second, access);
}

void Promises::forget(std::int64_t id) {
    fences_.erase(fences_.lower_bound({id, INT64_MIN}), fences_.lower_bound({id + 1, INT64_MIN}));
    const model::ProcessId first{INT32_MIN};
    posts_.erase(posts_.lower_bound({id, first, 0}), posts_.lower_bound({id + 1, first, 0}));
}

void Promises::report_update(ProcessId target, const CallSite& promise, const TargetAccess& by) {
    Finding* const finding = reporter_.report(
        FindingClass::EpochError,
        Severity::Error,
        by.origin,
        {{by.site, "updates it"}, {promise, "asserts that nobody does", true, target}});
    if (finding == nullptr) return;
    const std::string& name = execution_.procedures[by.site.procedure.index()].name;
    const std::string& asserts = execution_.procedures[promise.procedure.index()].name;
    finding->message = name + " of process " + rank_number(execution_, by.origin) +
                       " updates the window's memory of process " +
                       rank_number(execution_, target) +
                       ", which has asserted with MPI_MODE_NOPUT in " + asserts +
                       " that nobody does until the next synchronization.";
}

}  // namespace mqinspect::analysis

/// What processes promise of a window with the assertions of MPI_Win_fence and MPI_Win_post, and
/// who breaks it (MPI 4.0, 12.5.5). Whether its own operations precede a fence, or follow, although
/// a process has denied it is for Epochs; MPI_MODE_NOCHECK for NoCheckPromises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "analysis/local/window_facts.h"
#include "analysis/local/window_view.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Fences and posts are told by their numbers among those of their process. The arguments of the
/// constructor must outlive it.
class Promises {
public:
    Promises(const model::Execution& execution, const WindowFacts& facts, Reporter& reporter);

    /// `window.fences` does not count it yet.
    void fence(const CallView& view, const WindowView& window, std::int64_t id);
    /// `fences`: that its origin has passed.
    void access_after_fence(std::int64_t id,
                            std::int64_t fences,
                            model::ProcessId target,
                            const TargetAccess& access);
    /// `window.posted` is its number.
    void post(const CallView& view, const WindowView& window, std::int64_t id);
    void access_after_post(std::int64_t id,
                           std::int64_t post,
                           model::ProcessId target,
                           const TargetAccess& access);
    /// All have freed the window.
    void forget(std::int64_t id);

private:
    struct Fence {
        std::size_t passed = 0;  ///< by so many processes
        model::ProcessId process;
        CallSite site;
        std::int64_t assertion = 0;
        bool reported = false;
        /// Of the epoch that it begins, by target: who promised that nobody updates it, and the
        /// first operation that does.
        std::map<model::ProcessId, CallSite> promised;
        std::map<model::ProcessId, TargetAccess> updated;
    };

    void compare(const CallView& view, Fence& first);
    void check_stores(const CallView& view, const WindowView& window);
    void report_update(model::ProcessId target, const CallSite& promise, const TargetAccess& by);

    const model::Execution& execution_;
    const WindowFacts& facts_;
    Reporter& reporter_;
    bool numbers_known_ = true;
    std::int64_t no_store_;
    std::int64_t no_put_;
    std::map<std::pair<std::int64_t, std::int64_t>, Fence> fences_;  ///< by window and number
    std::map<std::tuple<std::int64_t, model::ProcessId, std::int64_t>, CallSite> posts_;
};

}  // namespace mqinspect::analysis

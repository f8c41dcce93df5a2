/// The epochs of one-sided communication as one process opens and closes them (MPI 4.0, 12.5),
/// and the origin buffers of its operations until they are complete.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/local/overlaps.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// A call of MPI_Win_fence asserts that nothing precedes it, or that nothing follows.
struct FenceAssertions {
    bool nothing_precedes = false;
    bool nothing_succeeds = false;
};
FenceAssertions fence_assertions(const model::Execution& execution, std::int64_t assertion);

/// The arguments of the constructor must outlive it.
class Epochs {
public:
    Epochs(model::ProcessId process,
           const model::Execution& execution,
           Overlaps& overlaps,
           Reporter& reporter)
        : process_(process), execution_(execution), overlaps_(overlaps), reporter_(reporter) {}

    /// A call with a window. `accesses`: the buffers of the origin.
    void on_call(const CallView& view, const std::vector<Access>& accesses);
    /// MPI_Finalize: epochs that are still open.
    void finalize(const CallSite& site);

private:
    struct Pending {
        std::int64_t target = 0;
        ActiveSlot buffers = kNoSlot;
    };
    struct Window {
        std::optional<CallSite> fence;     ///< the last one, if operations may follow
        std::optional<CallSite> accessed;  ///< the first operation since then, outside of others
        std::optional<CallSite> start;
        std::vector<std::int64_t> started;  ///< ranks of MPI_COMM_WORLD
        std::optional<CallSite> post;
        std::optional<CallSite> lock_all;
        std::map<std::int64_t, CallSite> locks;  ///< by target
        std::vector<Pending> pending;
        /// Something is wrong with its epochs already: what stays open follows from it.
        bool reported = false;
    };

    void fence(const CallView& view, Window& window);
    void start(const CallView& view, Window& window);
    void lock(const CallView& view, Window& window);
    void access(const CallView& view, Window& window, const std::vector<Access>& accesses);
    /// Reports an access outside of an epoch.
    bool may_access(const CallView& view, Window& window, std::int64_t target);
    void check_locked_here(const CallView& view, Window& window);
    /// Of the communicator of the call's window; null: not known.
    const std::vector<model::ProcessId>* members_of(const CallView& view) const;
    /// In the group of the window; kProcNull: not known.
    std::int64_t own_rank(const CallView& view) const;
    void flush(const CallView& view, Window& window, std::optional<std::int64_t> target);
    /// Reports what a new epoch of another kind would overlap. True: there is such an epoch.
    bool overlaps_other(const CallView& view, Window& window, bool with_start);
    void close(const CallView& view,
               Window& window,
               std::optional<CallSite>& epoch,
               std::string_view opened_by);
    void complete(Window& window, std::optional<std::int64_t> target);
    void check_closed(Window& window, const CallSite& site, std::string_view where);
    /// What opens an epoch of another window that would allow an access to the target, the last one
    /// of them; null: there is none.
    const CallSite* open_elsewhere(const Window& window, std::int64_t target) const;
    bool is_in_started_group(const CallView& view, const Window& window) const;
    /// `part`: what the other call has to do with it.
    void report(Window& window,
                const CallSite& site,
                const CallSite* other,
                std::string message,
                std::string_view part = "opened here");

    model::ProcessId process_;
    const model::Execution& execution_;
    Overlaps& overlaps_;
    Reporter& reporter_;
    std::unordered_map<std::int64_t, Window> windows_;
};

}  // namespace mqinspect::analysis

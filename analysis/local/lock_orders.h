/// Locks of windows that processes take in different orders: each may come to hold what the next
/// one waits for (MPI 4.0, 12.5.3: MPI_Win_lock may wait until the lock is free). And locks that
/// are held while their process waits for what another one does only behind a lock that they
/// exclude.
///
/// Nothing need have happened in the run: two orders count if no process knew, when it took its
/// first lock, that another one had given back its own (vector clocks), and no further lock keeps
/// them apart. An MPI library that takes locks late only moves where the processes wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "analysis/replay/run_clocks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Is told the calls of all processes so that whoever may know of a call comes after it
/// (OrderedCalls). The arguments of the constructor must outlive it.
class LockOrders {
public:
    LockOrders(const model::Execution& execution, Reporter& reporter)
        : execution_(execution), reporter_(reporter) {}

    struct Lock {
        std::int64_t window = 0;
        std::int64_t target = 0;  ///< or kAllTargets
        bool exclusive = false;
        CallSite site;
        std::shared_ptr<const Clock> known;  ///< by its process; null: nobody can tell
        bool told = false;  ///< perhaps of others' locks, in a way that is not in the record
    };

    void lock(model::ProcessId process, const Lock& lock);
    /// `event`: of its process.
    void unlock(model::ProcessId process,
                std::int64_t window,
                std::int64_t target,
                std::uint64_t event);
    bool holds(model::ProcessId process) const;
    /// The call of a process that holds locks has told it what `known` has of others.
    void told(model::ProcessId process,
              const CallSite& site,
              const std::shared_ptr<const Clock>& known);
    /// Behind the last call.
    void report();

private:
    /// One lock that was taken while another one was held.
    struct Order {
        model::ProcessId process;
        Lock first;
        Lock second;
        std::vector<Lock> held;                      ///< before the first
        std::uint64_t until = TargetAccess::kNever;  ///< the event that gave one of both back
    };
    using Key =
        std::tuple<model::ProcessId, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

    /// One lock, from the call that takes it to the event that gave it back.
    struct Section {
        model::ProcessId process;
        Lock lock;
        std::uint64_t until = TargetAccess::kNever;
    };
    /// Process, window, target and place.
    using Place = std::tuple<model::ProcessId, std::int64_t, std::int64_t, model::StackId>;

    void report_held(model::ProcessId process,
                     const CallSite& site,
                     const Lock& held,
                     const Section& other);
    static bool exclude(const Lock& left, const Lock& right);
    static bool may_meet(const Order& left, const Order& right);
    void search(std::vector<const Order*>& chain, std::size_t& work);
    void report(const std::vector<const Order*>& cycle);
    std::string text_of(const Lock& lock) const;

    const model::Execution& execution_;
    Reporter& reporter_;
    std::map<model::ProcessId, std::vector<Lock>> held_;
    std::map<Place, std::vector<Section>> sections_;
    bool any_exclusive_ = false;
    std::size_t told_ = 0;                      ///< how many of them have been looked at by told()
    std::map<Key, std::vector<Order>> orders_;  ///< by process, windows and targets
    std::vector<const Order*> all_;
};

}  // namespace mqinspect::analysis

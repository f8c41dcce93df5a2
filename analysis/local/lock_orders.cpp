#include "analysis/local/lock_orders.h"

#include <algorithm>
#include <string>

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

/// Of one process and the same locks: the first one of a loop, and the last ones.
constexpr std::size_t kMostAlike = 4;
constexpr std::size_t kLongestCycle = 4;
constexpr std::size_t kMostWork = 1'000'000;
/// Locks that are compared with those held by who is told something.
constexpr std::size_t kMostTold = 20'000'000;

}  // namespace

void LockOrders::lock(ProcessId process, const Lock& lock) {
    std::vector<Lock>& held = held_[process];
    for (std::size_t i = 0; i < held.size() && lock.known != nullptr; ++i) {
        const Lock& first = held[i];
        std::vector<Order>& alike =
            orders_[{process, first.window, first.target, lock.window, lock.target}];
        if (alike.size() == kMostAlike) alike.erase(alike.begin() + 1);
        alike.push_back({process,
                         first,
                         lock,
                         {held.begin(), held.begin() + static_cast<std::ptrdiff_t>(i)},
                         TargetAccess::kNever});
    }
    held.push_back(lock);
    any_exclusive_ = any_exclusive_ || lock.exclusive;
    std::vector<Section>& sections =
        sections_[{process, lock.window, lock.target, lock.site.stack}];
    if (sections.size() == kMostAlike) sections.erase(sections.begin() + 1);
    sections.push_back({process, lock, TargetAccess::kNever});
}

void LockOrders::unlock(ProcessId process,
                        std::int64_t window,
                        std::int64_t target,
                        std::uint64_t event) {
    const auto is_it = [&](const Lock& lock) {
        return lock.window == window && lock.target == target;
    };
    std::erase_if(held_[process], is_it);
    const auto first = orders_.lower_bound({process, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN});
    for (auto at = first; at != orders_.end() && std::get<0>(at->first) == process; ++at) {
        for (Order& order : at->second) {
            const bool open = order.until == TargetAccess::kNever;
            if (open && (is_it(order.first) || is_it(order.second))) order.until = event;
        }
    }
    const auto from = sections_.lower_bound({process, window, target, model::StackId{-1}});
    for (auto at = from; at != sections_.end() && std::get<0>(at->first) == process; ++at) {
        for (Section& section : at->second)
            if (section.until == TargetAccess::kNever && is_it(section.lock)) section.until = event;
    }
}

bool LockOrders::holds(ProcessId process) const {
    const auto found = held_.find(process);
    return found != held_.end() && !found->second.empty();
}

// Had the process got its lock first, the other one would not have got its own, and not have come
// to what this one has waited for.
void LockOrders::told(ProcessId process,
                      const CallSite& site,
                      const std::shared_ptr<const Clock>& known) {
    for (const Lock& held : held_[process]) {
        if (held.told || held.known == nullptr || known == nullptr) continue;
        if (!held.exclusive && !any_exclusive_) continue;
        for (const auto& [place, sections] : sections_) {
            for (const Section& other : sections) {
                if (++told_ > kMostTold) return;
                const std::size_t at = other.process.index();
                const bool before = (*known)[at] > other.lock.site.event;
                const bool after = (*held.known)[at] > other.until;
                if (other.process == process || !before || after || !exclude(held, other.lock))
                    continue;
                return report_held(process, site, held, other);
            }
        }
    }
}

void LockOrders::report_held(ProcessId process,
                             const CallSite& site,
                             const Lock& held,
                             const Section& other) {
    Finding* const finding =
        reporter_.report(FindingClass::PotentialDeadlock,
                         reporter_.of_hidden(),
                         process,
                         {{site, "waits while the lock is held"},
                          {held.site, "holds this lock"},
                          {other.lock.site, "needs the lock before that", true, other.process}});
    if (finding == nullptr) return;
    const std::string rank = rank_number(execution_, process);
    const std::string other_rank = rank_number(execution_, other.process);
    finding->message = "Rank " + rank + " holds the lock of " + text_of(held) +
                       " while it waits in " + execution_.procedures[site.procedure.index()].name +
                       " for what follows only when rank " + other_rank + " has had that of " +
                       text_of(other.lock) + ": if rank " + rank +
                       " has its lock first, neither goes on.";
}

bool LockOrders::exclude(const Lock& left, const Lock& right) {
    const bool meet =
        left.target == right.target || left.target == kAllTargets || right.target == kAllTargets;
    return left.window == right.window && meet && (left.exclusive || right.exclusive);
}

bool LockOrders::may_meet(const Order& left, const Order& right) {
    const auto knows = [](const Order& later, const Order& earlier) {
        return earlier.until != TargetAccess::kNever &&
               (*later.first.known)[earlier.process.index()] > earlier.until;
    };
    if (left.process == right.process || knows(left, right) || knows(right, left)) return false;
    return std::ranges::none_of(left.held, [&](const Lock& one) {
        return std::ranges::any_of(right.held,
                                   [&](const Lock& other) { return exclude(one, other); });
    });
}

/// Continues the chain with each order that begins with what its last one waits for.
void LockOrders::search(std::vector<const Order*>& chain, std::size_t& work) {
    const Order& last = *chain.back();
    if (chain.size() > 1 && exclude(last.second, chain.front()->first)) return report(chain);
    if (chain.size() == kLongestCycle) return;
    for (const Order* next : all_) {
        if (work == 0) return;
        --work;
        // Each cycle once: from its first process on.
        if (next->process <= chain.front()->process || !exclude(last.second, next->first)) continue;
        const bool apart = std::ranges::any_of(
            chain, [&](const Order* earlier) { return !may_meet(*earlier, *next); });
        if (apart) continue;
        chain.push_back(next);
        search(chain, work);
        chain.pop_back();
    }
}

void LockOrders::report() {
    for (const auto& [key, orders] : orders_) {
        for (const Order& order : orders)
            if (!order.first.told && order.first.known != nullptr) all_.push_back(&order);
    }
    std::size_t work = kMostWork;
    for (const Order* order : all_) {
        std::vector<const Order*> chain{order};
        search(chain, work);
    }
    if (told_ > kMostTold)
        reporter_.unchecked("locks that are held while more than some million messages come");
    if (work == 0) reporter_.unchecked("orders of more than a few hundred pairs of locks");
}

std::string LockOrders::text_of(const Lock& lock) const {
    const std::string name = "window " + std::to_string(lock.window);
    return lock.target == kAllTargets ? "all of " + name
                                      : "rank " + std::to_string(lock.target) + " of " + name;
}

void LockOrders::report(const std::vector<const Order*>& cycle) {
    // It has happened: their processes did not go on.
    const bool real = std::ranges::all_of(
        cycle, [](const Order* order) { return order->until == TargetAccess::kNever; });
    if (real) return;
    std::vector<Involved> calls;
    std::string text;
    for (const Order* order : cycle) {
        calls.push_back({order->second.site, "waits for it", true, order->process});
        calls.push_back({order->first.site, "holds this lock", false, order->process});
        text += (text.empty() ? "Rank " : "; rank ") + rank_number(execution_, order->process) +
                " holds the lock of " + text_of(order->first) + " and asks for that of " +
                text_of(order->second);
    }
    Finding* const finding = reporter_.report(
        FindingClass::PotentialDeadlock, reporter_.of_hidden(), cycle.front()->process, calls);
    if (finding == nullptr) return;
    finding->message = text +
                       ": if each has its first lock before it asks for the second, none goes on. "
                       "Take them in the same order everywhere.";
}

}  // namespace mqinspect::analysis

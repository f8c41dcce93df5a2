/// The regions of one function as an analysis of teams needs them: which team executes a step, by
/// which of its threads, and how steps follow each other within a team.
///
/// A scope is what one team executes: the function itself, as its caller's team sees it, or a
/// parallel region in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "thread_level/analysis/assessment.h"
#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/executor.h"
#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// Things that go on beside what made them, within one scope: tasks and threads. Those beyond 64
/// are taken for a part of what made them.
using AsyncSet = std::uint64_t;

/// That a parameter of the function is a number, or what a thread has for itself.
struct Asked {
    std::int64_t parameter = -1;  ///< its position; -1: none is asked
    StringId field = 0;           ///< if any: of what it points to
    std::int64_t number = 0;
    /// It is a parameter of the function that a thread was started with, whoever handed it on.
    bool is_of_thread = false;
    StringId own = 0;  ///< in place of a parameter, if any: a variable of OwnNumbers

    bool operator==(const Asked&) const = default;
};

/// Above all numbers of levels.
inline constexpr int kAnyLevel = 4;

/// From the start of a scope into the body of a region.
struct Path {
    Executor executor;             ///< of a task: who makes it
    Executor known;                ///< of what has asked for its number, in the innermost task
    bool may_change = false;       ///< the innermost task may: another thread goes on with it
    RegionId worksharing = kNone;  ///< outermost; of a section the sections construct
    RegionId holder = kNone;       ///< outermost critical section
    ExclusionSet exclusions = 0;
    ExclusionSet arguments = 0;  ///< what all threads that come there have in common
    AsyncSet tasks = 0;          ///< that the region is in
    RegionId task = kNone;       ///< the innermost of them
    bool is_many = false;        ///< in a taskloop
    Asked asked;                 ///< innermost, of the function's own scope
    Level assured = Level::Single;
    Level in_team = Level::Single;   ///< what the region asks for whose team executes it
    int below = kAnyLevel;           ///< the provided level is below this, as a number
    bool is_of_first = false;        ///< the team is one that thread 0 of the one around makes
    bool has_unknown_guard = false;  ///< it depends on a function that is not there
};

struct Scope {
    RegionId region = 0;
    std::vector<StepId> starts;
    std::vector<StepId> steps;  ///< that can be reached, in reverse postorder
};

class Shape {
public:
    Shape(const Program& program, FunctionId function, Exclusions& exclusions);

    FunctionId function() const { return function_; }
    std::span<const Region> regions() const { return regions_; }
    std::span<const Step> steps() const { return steps_; }
    const std::vector<Scope>& scopes() const { return scopes_; }  ///< that of the function first
    std::uint32_t scope_of(RegionId region) const { return scope_of_[region]; }
    /// Inner scopes after outer ones; kNone: the region has none.
    std::uint32_t scope_at(RegionId region) const;
    const Path& path(RegionId region) const { return paths_[region]; }
    /// Within the scope: an inner parallel region is one step, a task may be passed by.
    std::span<const StepId> next(StepId step) const;
    StepId enter_of(RegionId region) const { return enters_[region]; }  ///< kNone: there is none
    StepId leave_of(RegionId region) const { return leaves_[region]; }
    /// `region` is `outer` or in it.
    bool is_inside(RegionId region, RegionId outer) const;

    /// 0: there is no more room.
    AsyncSet task_bit(RegionId region) const { return task_bits_[region]; }
    AsyncSet add_bit(std::uint32_t scope);

private:
    void find_scopes();
    void find_paths(const Program& program, Exclusions& exclusions);
    void extend(Path& path,
                RegionId id,
                const ResolvedCondition& condition,
                Exclusions& exclusions);
    std::optional<Exclusion> argument_of(const Program& program,
                                         RegionId id,
                                         const ResolvedCondition& condition) const;
    bool is_repeated(RegionId region) const;
    void find_next();
    void order(Scope& scope, std::vector<bool>& seen) const;

    FunctionId function_;
    std::span<const Region> regions_;
    std::span<const Step> steps_;
    std::vector<Scope> scopes_;
    std::vector<std::uint32_t> scope_of_;
    std::vector<Path> paths_;
    std::vector<StepId> enters_;
    std::vector<StepId> leaves_;
    std::vector<AsyncSet> task_bits_;
    std::vector<std::uint32_t> bits_used_;  // by scope
    std::vector<StepId> next_;
    std::vector<std::uint32_t> first_next_;
};

}  // namespace mqinspect::thread_level

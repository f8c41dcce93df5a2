#include <bit>
#include <utility>

#include "thread_level/analysis/common_arguments.h"
#include "thread_level/analysis/gather.h"

namespace mqinspect::thread_level {
namespace {

/// Beyond these, calls of a function are not told apart by what they are given.
constexpr std::size_t kPreciseGroups = 64;

/// The only task, of the scope, that the region is in.
const Region& task_around(const Shape& shape, RegionId region) {
    while (shape.task_bit(region) == 0)
        region = shape.regions()[region].parent;
    return shape.regions()[region];
}

}  // namespace

bool Group::is_equal(const Group& other) const {
    return procedure.use == other.procedure.use && communicator == other.communicator &&
           peer == other.peer && tag == other.tag && object == other.object &&
           executor == other.executor && known == other.known && is_task == other.is_task &&
           worksharing == other.worksharing && is_worksharing_below == other.is_worksharing_below &&
           holder == other.holder && exclusions == other.exclusions && perhaps == other.perhaps &&
           presumed == other.presumed && arguments == other.arguments && turns == other.turns &&
           turns_left == other.turns_left && rounds == other.rounds &&
           joined_below == other.joined_below && joined == other.joined && async == other.async &&
           depends == other.depends && is_many == other.is_many && run_by == other.run_by &&
           is_of_first == other.is_of_first && asked == other.asked &&
           only_start == other.only_start && started == other.started &&
           is_of_object == other.is_of_object && is_called == other.is_called &&
           is_nested == other.is_nested && is_first == other.is_first && is_last == other.is_last &&
           behind == other.behind && assured == other.assured && in_team == other.in_team &&
           below == other.below && has_unknown_guard == other.has_unknown_guard &&
           state == other.state && outlives == other.outlives && thread == other.thread &&
           is_way_out == other.is_way_out &&
           procedure.is_nonblocking == other.procedure.is_nonblocking;
}

void narrow_called(Group& group, const Path& path, Executor inside) {
    const bool is_in_own_task = group.is_task;
    if (!is_in_own_task)
        group.known = path.may_change ? Executor{} : narrow_number(path.known, group.known);
    group.is_task = is_in_own_task || path.task != kNone;
    const bool is_maker = path.task == kNone || inside.who == Who::One;
    group.executor = is_maker ? narrow(path.executor, inside) : path.executor;
    if (group.known.who == Who::Nobody) group.executor = group.known;
}

std::uint64_t hash_of(const Group& group) {
    constexpr std::uint64_t mix = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * mix; };
    const auto add_value = [&add](const Value& value) {
        add(static_cast<std::uint64_t>(value.kind) << 40 ^ std::uint64_t{value.name} << 8 ^
            static_cast<std::uint64_t>(value.number));
    };
    add(static_cast<std::uint64_t>(group.procedure.use));
    add_value(group.communicator.value);
    add_value(group.object.value);
    add_value(group.peer.value);
    add_value(group.tag.value);
    add(static_cast<std::uint64_t>(group.executor.who));
    add(group.executor.instance);
    add(static_cast<std::uint64_t>(group.known.who) << 1 ^ group.known.instance << 8);
    add(group.exclusions);
    add(group.async);
    add(group.state);
    add(group.run_by);
    add(std::uint64_t{group.only_start.function} << 32U ^ group.only_start.guard);
    add(group.asked.own);
    add(group.only_start.step);
    add(static_cast<std::uint64_t>(group.asked.parameter) ^ std::uint64_t{group.asked.field} << 8 ^
        static_cast<std::uint64_t>(group.asked.number) << 40);
    add(static_cast<std::uint64_t>(group.started));
    return hash ^ hash >> 32;
}

void note_started(Group& group, const Asked& asked, Handing handing, bool is_start) {
    constexpr int above_numbers = 24;
    const bool is_left = handing == Handing::Asked && !is_start;
    group.is_of_object = handing == Handing::OneObject || (group.is_of_object && is_left);
    if (handing == Handing::OneObject) {
        group.started = (std::int64_t{asked.field} + 1) << above_numbers | asked.number;
    } else if (!group.is_of_object) {
        group.started = handing == Handing::OneThread ? asked.number : -1;
    }
}

bool is_at_entry(const Group& group, StepId step, const Flow& flow) {
    return group.is_first && flow.is_at_entry(step);
}

/// Who has barriers ahead in here does not meet who has left.
bool is_at_exit(const Group& group, StepId step, Flow& flow) {
    const bool has_no_barrier =
        group.is_last && (group.behind == kNone || !flow.must_pass(step)) && flow.is_at_exit(step);
    const bool is_behind_one = group.behind != kNone && flow.is_exit_behind(step);
    return (has_no_barrier || is_behind_one) && flow.may_end_next(step);
}

/// What a task waits for that is in no other one. Tasks that it makes itself, and leaves, wait for
/// nothing that others depend on.
void Gather::note_depends(Group& group, StepId id) {
    const StepKind kind = shape_.steps()[id].kind;
    const AsyncSet tasks = shape_.path(shape_.steps()[id].region).tasks;
    const bool is_left = group.outlives == Async::Task && tasks == 0;
    if (group.is_nested || kind == StepKind::StartThread || !is_left) group.depends = 0;
    const bool is_plain = group.outlives == Async::No && kind != StepKind::StartThread;
    if (!is_plain || !std::has_single_bit(tasks)) return;
    std::vector<ExclusionId> depends;
    for (const Dependence& each : task_around(shape_, shape_.steps()[id].region).dependences) {
        if (each.on.kind != Value::Kind::Global) continue;
        depends.push_back(exclusions_.intern({.kind = Exclusion::Kind::Depend,
                                              .name = each.on.name,
                                              .field = each.writes ? StringId{1} : StringId{0}}));
    }
    group.depends = exclusions_.intern(std::move(depends));
}

void Gather::add_nested(StepId id, std::uint32_t inner, Summary& into) {
    if (inner == kNone) return;
    for (std::uint32_t i = 0; i < scopes_[inner].groups.size(); ++i) {
        const Group& below = scopes_[inner].groups[i];
        if (below.is_way_out) continue;
        Group group = below;
        group.origins.clear();
        group.exclusions = without(Exclusion::Kind::Ordered, group.exclusions, exclusions_);
        group.perhaps = without(Exclusion::Kind::Ordered, group.perhaps, exclusions_);
        group.arguments = told_outside(group.arguments, program_, exclusions_);
        group.worksharing = kNone;
        group.is_worksharing_below = false;
        group.holder = kNone;
        group.async = 0;
        group.joined_below.clear();
        group.is_many = group.is_called = false;
        group.is_nested = true;
        group.is_first = group.is_last = true;
        group.behind = kNone;
        if (below.outlives != Async::Thread) group.outlives = Async::No;
        const Who maker = group.is_of_first ? Who::Master : Who::All;
        const bool is_main = group.executor.who == Who::Main;
        place(group, id);
        const Path& path = shape_.path(shape_.steps()[id].region);
        const Executor inside{.who = is_main ? Who::Main : maker};
        group.executor = narrow(path.executor, inside);
        group.known = narrow_number(path.known, inside);
        group.is_task = path.task != kNone;
        if (below.outlives == Async::Thread) {
            group.async |= flow_.threads_of(id);
            group.known = {};
        }
        if (group.executor.who == Who::Nobody) continue;
        add(std::move(group),
            {.step = id, .scope = inner, .node = shape_.function(), .group = i},
            into);
    }
}

void Gather::add(Group group, const Origin& origin, Summary& into) {
    if (into.groups.size() >= kPreciseGroups && group.is_called)
        group.object = group.peer = group.tag = {};
    const std::uint64_t hash = hash_of(group);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
        Group& same = into.groups[at->second];
        if (!same.is_equal(group)) continue;
        same.origins.push_back(origin);
        same.lets_others_in = same.lets_others_in || group.lets_others_in;
        return;
    }
    by_hash_.emplace(hash, static_cast<std::uint32_t>(into.groups.size()));
    group.origins.push_back(origin);
    into.groups.push_back(std::move(group));
}

}  // namespace mqinspect::thread_level

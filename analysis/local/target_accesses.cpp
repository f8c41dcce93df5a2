#include "analysis/local/target_accesses.h"

#include <algorithm>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

using model::Role;

bool describe_target(const CallView& view,
                     const model::RecordedWindow::Part& part,
                     const model::Execution& execution,
                     Footprints& footprints,
                     TargetAccess& made) {
    const bool counted = view.in(Role::TargetCount) != nullptr;
    const std::int64_t type =
        view.number(counted ? Role::TargetDatatype : Role::Datatype, model::kNullHandle);
    const auto start = checked_product(view.number(Role::TargetDisplacement),
                                       std::max<std::int64_t>(part.displacement_unit, 1));
    if (!start || type < 0 || type > INT32_MAX) return false;
    made.memory.address = *start;
    made.memory.count = counted ? view.number(Role::TargetCount) : 1;
    made.memory.type = model::DatatypeId{static_cast<int>(type)};
    const auto hull = footprints.hull(*start, made.memory.count, made.memory.type);
    if (!hull || hull->empty()) return false;
    made.memory.hull = *hull;
    made.effect = view.local.buffers == BufferRule::Put   ? TargetAccess::Effect::Write
                  : view.local.buffers == BufferRule::Get ? TargetAccess::Effect::Read
                                                          : TargetAccess::Effect::Accumulate;
    const std::int64_t op = view.number(Role::Operator, TargetAccess::kAnyOperator);
    made.op = op;
    const model::RecordedDatatype& datatype = execution.datatypes[static_cast<std::size_t>(type)];
    if (is_basic(datatype)) {
        made.element = type;
        made.element_bytes = datatype.extent;
    }
    const auto at = static_cast<std::size_t>(op);
    if (op >= 0 && at < execution.operators.size() && execution.operators[at].name == "MPI_NO_OP")
        made.op = TargetAccess::kNoOperation;
    return true;
}

namespace {

bool knows(const TargetAccess& access, model::ProcessId process, std::uint64_t event) {
    return access.known != nullptr && (*access.known)[process.index()] > event;
}

}  // namespace

bool TargetAccesses::is_same(const TargetAccess& left, const TargetAccess& right) {
    return left.origin == right.origin && left.window == right.window &&
           left.site.stack == right.site.stack && left.site.procedure == right.site.procedure &&
           left.effect == right.effect && left.op == right.op && left.element == right.element &&
           left.memory.address == right.memory.address && left.memory.count == right.memory.count &&
           left.memory.type == right.memory.type && left.local == right.local &&
           left.doing == right.doing && left.locked == right.locked &&
           left.exclusive == right.exclusive && left.ordered == right.ordered &&
           left.only_by == right.only_by && left.guards == right.guards &&
           left.carried == right.carried;
}

bool TargetAccesses::conflict(const TargetAccess& left, const TargetAccess& right) {
    using enum TargetAccess::Effect;
    const auto reads = [](const TargetAccess& one) {
        return one.effect == Read ||
               (one.effect == Accumulate && one.op == TargetAccess::kNoOperation);
    };
    if (reads(left) && reads(right)) return false;
    if (left.window >= 0 && left.window == right.window) return false;
    // What a process does to its own memory by other calls is not looked at here.
    if (left.local && right.local) return false;
    if (left.effect != Accumulate || right.effect != Accumulate) return true;
    // Unless the program says otherwise, equal operations on equal datatypes, and MPI_NO_OP beside
    // them (MPI 4.0, 12.2.1, accumulate_ops, and 12.7.1).
    const bool other_op = left.op != right.op && left.op >= 0 && right.op >= 0;
    const bool other_element =
        left.element != right.element && left.element >= 0 && right.element >= 0;
    // One element each, or parts of two.
    const bool apart = !other_element && left.element_bytes > 0 &&
                       left.element_bytes == right.element_bytes &&
                       (left.memory.address - right.memory.address) % left.element_bytes != 0;
    return other_op || other_element || apart;
}

bool TargetAccesses::concurrent(const TargetAccess& left, const TargetAccess& right, bool passive) {
    if (left.carried && right.carried) return false;
    if (left.origin == right.origin) {
        return left.issued <= right.issued ? concurrent_in_process(left, right)
                                           : concurrent_in_process(right, left);
    }
    if (left.local != right.local) {
        // A process may use its memory first, and then let another one know.
        const TargetAccess& own = left.local ? left : right;
        const TargetAccess& remote = left.local ? right : left;
        if (remote.round > own.round || remote.ordered) return false;
        // Programs wait for what comes by loading it over and over: what counts are loads that are
        // not made twice, and loads by who has been told of an operation too early.
        const bool loads = passive && own.doing == TargetAccess::Doing::Load && !own.lone_load;
        if (loads && !knows(own, remote.origin, remote.issued)) return false;
    }
    if (!passive) return true;
    if ((left.exclusive && right.locked) || (right.exclusive && left.locked)) return false;
    const auto is_told_of = [](const TargetAccess& access, const TargetAccess& other) {
        return access.ordered && access.only_by != other.origin;
    };
    if (is_told_of(left, right) || is_told_of(right, left)) return false;
    if ((left.guards & right.guards) != 0) return false;
    return !knows(left, right.origin, right.completed) &&
           !knows(right, left.origin, left.completed);
}

/// `first` was made before `second`.
bool TargetAccesses::concurrent_in_process(const TargetAccess& first, const TargetAccess& second) {
    // What a process has done itself is over when it goes on.
    if (first.local) return false;
    // Accumulations of one process take place in their order (MPI 4.0, 12.7.2).
    const auto accumulates = TargetAccess::Effect::Accumulate;
    if (first.effect == accumulates && second.effect == accumulates) return false;
    return first.completed > second.issued;
}

bool TargetAccesses::share_bytes(const Access& left, const Access& right, Footprints& footprints) {
    // What the program does by itself has no datatype.
    const auto bytes_of = [&footprints](const Access& access) {
        if (access.type.value >= 0) return footprints.of(access.address, access.count, access.type);
        Footprint bytes;
        bytes.runs.push_back({access.hull.low, access.hull.high - access.hull.low});
        return bytes;
    };
    return overlap(bytes_of(left), bytes_of(right)) == Overlap::Some;
}

}  // namespace mqinspect::analysis

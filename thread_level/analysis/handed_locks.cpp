#include "thread_level/analysis/handed_locks.h"

#include <utility>
#include <vector>

#include "thread_level/analysis/outer_locks.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// The member `field`, "class::member", of `object`. Where it is locked by the object's name it has
/// one name.
Exclusion member_of(Exclusion object, StringId field, const Strings& strings) {
    const StringId name = strings.find(name_of_member(strings[object.name], strings[field]));
    if (object.name == 0 || name == Strings::kNoString) {
        object.field = field;
    } else {
        object.name = name;
    }
    return object;
}

/// A lock in a member, of an object that the caller does not know: that of one or the other.
bool is_of_unknown_object(const Exclusion& lock, const Step& step) {
    return lock.kind == Exclusion::Kind::HandedLock && lock.name != 0 &&
           (lock.number >= step.arguments.size() || step.arguments[lock.number] == Value{});
}

}  // namespace

bool hand_lock(ExclusionId lock,
               const Step& step,
               const Caller& caller,
               Exclusions& exclusions,
               ExclusionId& outside) {
    const Exclusion exclusion = exclusions[lock];
    outside = lock;
    if (exclusion.kind == Exclusion::Kind::LocalLock) return false;
    if (exclusion.kind == Exclusion::Kind::OuterLock)
        return exclusion.function != original_of(caller.callee, caller.program);
    if (exclusion.kind != Exclusion::Kind::HandedLock) return true;
    Exclusion argument;
    bool is_known = exclusion.number < step.arguments.size();
    if (is_known) {
        const Value& value = step.arguments[exclusion.number];
        // Each thread hands over its own, or another one each time.
        if (value.kind == Value::Kind::Element && value.number != 0) return false;
        if (value.kind == Value::Kind::Counted) return false;
        if (is_of_each_thread(value, caller.regions, step.region)) return false;
        is_known = excludes(value, caller.function, caller.program, argument);
    }
    if (exclusion.field != 0) {
        // A member of what is known, or of one or the other object.
        if (is_known && argument.kind != Exclusion::Kind::LockElement && argument.field == 0) {
            argument = member_of(argument, exclusion.field, caller.program.unit().strings);
        } else {
            argument = {.kind = Exclusion::Kind::LockElement, .name = exclusion.field};
        }
        is_known = true;
    }
    if (is_known) outside = exclusions.intern(argument);
    return is_known;
}

ExclusionSet hand_locks(ExclusionSet set,
                        const Step& step,
                        const Caller& caller,
                        Exclusions& exclusions,
                        ExclusionSet& perhaps) {
    if (set == 0) return 0;
    std::vector<ExclusionId> outside;
    std::vector<ExclusionId> elements;
    const std::vector<ExclusionId> members = exclusions.members(set);
    for (const ExclusionId lock : members) {
        ExclusionId same = 0;
        if (is_of_unknown_object(exclusions[lock], step)) {
            same = exclusions.intern(
                {.kind = Exclusion::Kind::LockElement, .name = exclusions[lock].name});
        } else if (!hand_lock(lock, step, caller, exclusions, same)) {
            continue;
        }
        const bool is_element = exclusions[same].kind == Exclusion::Kind::LockElement;
        (is_element ? elements : outside).push_back(same);
    }
    if (!elements.empty())
        perhaps = exclusions.unite(perhaps, exclusions.intern(std::move(elements)));
    return exclusions.intern(std::move(outside));
}

}  // namespace mqinspect::thread_level

#include "thread_level/gcc_plugin/number_keepers.h"

#include <algorithm>
#include <string_view>

#include "thread_level/analysis/program.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/level_flags.h"
#include "thread_level/gcc_plugin/pruning.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// How units call a keeper that others may have, too; empty: this one alone has it.
std::string_view shared_name(const Gathering& gathering, unsigned keeper) {
    const auto member = gathering.shared_members.find(keeper);
    return member == gathering.shared_members.end() || member->second == 0
               ? std::string_view()
               : std::string_view(gathering.unit.strings[member->second]);
}

/// Null: it is none of a keeper, or nothing is written to that.
const NumberUse* use_of(const Gathering& gathering, StringId keeper) {
    const auto uid = gathering.number_keepers.find(keeper);
    if (uid == gathering.number_keepers.end()) return nullptr;
    const auto use = gathering.number_uses.find(uid->second);
    return use == gathering.number_uses.end() ? nullptr : &use->second;
}

/// Whether the whole program has to tell what a keeper keeps, as far as this unit does not.
bool is_of_all_units(const Gathering& gathering, StringId name) {
    const unsigned keeper = gathering.number_keepers.at(name);
    const NumberUse* use = use_of(gathering, name);
    const bool is_other = use != nullptr && use->is_other;
    if (gathering.handed_keepers.contains(keeper)) return !is_other;
    return !is_other && !shared_name(gathering, keeper).empty();
}

/// Whether it also has to tell what functions are handed of a keeper. A member of a class seldom
/// has the number, so that this unit has to write that.
bool is_handed_of_all_units(const Gathering& gathering, StringId name) {
    if (!is_of_all_units(gathering, name)) return false;
    const unsigned keeper = gathering.number_keepers.at(name);
    const NumberUse* use = use_of(gathering, name);
    return gathering.handed_keepers.contains(keeper) ||
           shared_name(gathering, keeper).starts_with(kOwnOfThread) ||
           (use != nullptr && (use->is_number || use->is_flag));
}

/// Whether this unit alone has it, and it says no more than that the number is 0 where it is set.
bool is_partial_flag(const Gathering& gathering, StringId name) {
    const NumberUse* use = use_of(gathering, name);
    return use != nullptr && use->is_partial && !use->is_number && !use->is_yes && !use->is_other &&
           shared_name(gathering, gathering.number_keepers.at(name)).empty();
}

/// What one of two keepers has of which the sum is 0.
enum class Addend : std::uint8_t { Zero, Number, Other, OfAllUnits };

Addend addend_of(const Gathering& gathering, StringId name) {
    if (!gathering.number_keepers.contains(name)) return Addend::Other;
    if (is_of_all_units(gathering, name)) return Addend::OfAllUnits;
    const NumberUse* use = use_of(gathering, name);
    if (use == nullptr || use->is_other || use->is_flag || use->is_yes || use->added != 0)
        return Addend::Other;
    return use->is_number ? Addend::Number : Addend::Zero;
}

/// A guard on the sum of two keepers, or of one and the number of the thread: neither is below 0.
void settle_united(Gathering& gathering, Region& guard) {
    const bool is_direct = guard.wrapper == 0;
    const Addend first = is_direct ? Addend::Number : addend_of(gathering, guard.wrapper);
    const Addend second = addend_of(gathering, guard.limit.name);
    const bool is_other = first == Addend::Other || second == Addend::Other;
    if (!is_other && (first == Addend::OfAllUnits || second == Addend::OfAllUnits)) {
        if (first == Addend::Number && !is_direct) gathering.unit.numbers.push_back(guard.wrapper);
        if (second == Addend::Number) gathering.unit.numbers.push_back(guard.limit.name);
        return;
    }
    if (is_other || (first == Addend::Zero && second == Addend::Zero))
        guard.condition = Condition::None;
    guard.wrapper = 0;
    guard.limit = {};
}

/// A guard on what is the number of the thread plus something. What is below 0 then says nothing.
void take_off(Region& guard, std::int64_t added) {
    if (added == 0 || (guard.condition == Condition::ThreadIsOther && guard.number <= 0)) return;
    const ResolvedCondition said = condition_of_sum(guard.condition, guard.number, added);
    guard.condition = said.condition;
    guard.number = said.number;
}

/// What is added to the number of the thread in a keeper that has nothing else.
std::optional<std::int64_t> sum_kept(const Gathering& gathering, StringId name) {
    const NumberUse* use = use_of(gathering, name);
    if (use == nullptr || !use->is_number || use->added == 0 || use->is_other || use->is_flag)
        return std::nullopt;
    const std::string_view shared = shared_name(gathering, gathering.number_keepers.at(name));
    if (!shared.empty() && !shared.starts_with(kOwnOfThread)) return std::nullopt;
    return use->added;
}

void settle_sum(const Gathering& gathering, Region& guard) {
    if (const auto sum = gathering.returned_sums.find(guard.wrapper);
        sum != gathering.returned_sums.end()) {
        take_off(guard, sum->second);
        guard.wrapper = 0;
        return;
    }
    const auto added = sum_kept(gathering, guard.wrapper);
    if (!added) return;
    take_off(guard, *added);
    guard.wrapper = 0;
}

/// Only that, with a constant at most in front of it.
bool is_copy_only(const NumberUse& use) {
    return use.copy_of != 0 && !use.is_number && !use.is_flag && !use.is_yes && !use.is_other;
}

/// What is kept of what the whole program has to tell is that itself.
void follow_copies(const Gathering& gathering, Region& guard) {
    constexpr int most_copies = 4;
    for (int i = 0; i < most_copies; ++i) {
        const NumberUse* use = use_of(gathering, guard.wrapper);
        if (use == nullptr || !is_copy_only(*use) ||
            !shared_name(gathering, gathering.number_keepers.at(guard.wrapper)).empty())
            return;
        take_off(guard, use->copy_added);
        guard.wrapper = use->copy_of;
    }
}

/// False: what `use` has a copy of is not known yet, or the whole program has to tell.
bool settle_copy(const Gathering& gathering, const FunctionsBySymbol& functions, NumberUse& use) {
    const NumberUse* source = use_of(gathering, use.copy_of);
    std::int64_t added = use.copy_added;
    bool is_number = false;
    if (gathering.number_keepers.contains(use.copy_of)) {
        if (is_of_all_units(gathering, use.copy_of)) return false;
        if (source != nullptr && is_copy_only(*source)) return false;
        is_number = source != nullptr && source->is_number && !source->is_flag && !source->is_other;
        if (is_number) added += source->added;
    } else {
        const auto function = functions.find(use.copy_of);
        is_number = function != functions.end() &&
                    gathering.unit.functions[function->second].returns == Returns::ThreadNumber;
    }
    if (!is_number || (use.is_number && use.added != added)) use.is_other = true;
    use.is_number = is_number;
    use.added = added;
    use.copy_of = 0;
    return true;
}

/// What is handed over of what a keeper `returns`, as a value says it; below 0: nothing.
std::int64_t compared_with_zero(std::int64_t number, Returns returns) {
    if (returns == Returns::ThreadNumber) return number;
    if (returns != Returns::IsThreadZero) return -1;
    return number == kIsZero ? kIsNotZero : kIsZero;
}

/// What the whole program has to know of what this unit writes to a keeper that has a `name` there.
void add_use(Gathering& gathering, unsigned keeper, StringId name, bool may_be_flag) {
    const auto found = gathering.number_uses.find(keeper);
    if (found == gathering.number_uses.end()) return;
    const NumberUse& use = found->second;
    Unit& unit = gathering.unit;
    const bool is_sum = use.is_number && use.added != 0;
    const bool is_flag = may_be_flag && use.is_flag && !use.is_number;
    if (use.is_number && !is_sum) unit.numbers.push_back(name);
    if (is_flag) unit.numbers.push_back(gathering.intern(name_of_flag(unit.strings[name])));
    if (is_flag && use.is_partial)
        unit.numbers.push_back(gathering.intern(name_of_partial_flag(unit.strings[name])));
    const bool is_flag_or_not = is_flag ? use.is_yes : use.is_flag;
    if (use.is_other || is_flag_or_not || is_sum || use.copy_of != 0) {
        unit.other_numbers.push_back(idle_hash(unit.strings[name]));
    } else if (use.is_yes && !use.is_number) {
        unit.other_numbers.push_back(idle_hash(name_of_flag(unit.strings[name])));
    }
}

}  // namespace

bool is_of_others(const Gathering& gathering, unsigned keeper) {
    return !shared_name(gathering, keeper).empty();
}

bool is_shared_keeper(const Gathering& gathering, StringId name) {
    const auto keeper = gathering.number_keepers.find(name);
    return keeper != gathering.number_keepers.end() && is_of_others(gathering, keeper->second);
}

std::optional<Returns> returns_of_keeper(const Gathering& gathering, StringId name) {
    const auto keeper = gathering.number_keepers.find(name);
    if (keeper == gathering.number_keepers.end()) return std::nullopt;
    const NumberUse* use = use_of(gathering, name);
    if (use == nullptr || use->is_other || use->is_number == use->is_flag) return Returns::Other;
    if (use->is_number) return use->added == 0 ? Returns::ThreadNumber : Returns::Other;
    // Other units may write something else to it.
    const bool is_shared = !shared_name(gathering, keeper->second).empty();
    return use->is_yes || use->is_partial || is_shared ? Returns::Other : Returns::IsThreadZero;
}

void settle_copies(Gathering& gathering, const FunctionsBySymbol& functions) {
    for (bool any = true; any;) {
        any = false;
        for (auto& [keeper, use] : gathering.number_uses)
            any = (use.copy_of != 0 && settle_copy(gathering, functions, use)) || any;
    }
    for (auto& [keeper, use] : gathering.number_uses)
        if (use.copy_of != 0 && !is_copy_only(use)) use.is_other = true;
}

void settle_kept_flags(Gathering& gathering, const FunctionsBySymbol& functions) {
    for (const KeptFlag& flag : gathering.kept_flags) {
        const auto keeper = returns_of_keeper(gathering, flag.wrapper);
        const auto wrapper = functions.find(flag.wrapper);
        const bool is_here = wrapper != functions.end();
        const Returns given = keeper    ? *keeper
                              : is_here ? gathering.unit.functions[wrapper->second].returns
                                        : Returns::Other;
        const bool is_flag =
            condition_of_wrapper(flag.when_true, 0, given) == Condition::ThreadIsZero;
        NumberUse& use = gathering.number_uses[flag.keeper];
        use.is_partial = use.is_partial || (is_flag && flag.is_partial);
        (is_flag ? use.is_flag : flag.is_constant ? use.is_yes : use.is_other) = true;
    }
    gathering.kept_flags.clear();
}

bool settle_keeper(Gathering& gathering, Region& guard) {
    if (guard.limit.kind == Value::Kind::Element) {
        settle_united(gathering, guard);
        return true;
    }
    if (guard.wrapper != 0) follow_copies(gathering, guard);
    if (guard.wrapper != 0) settle_sum(gathering, guard);
    if (guard.wrapper == 0) return true;
    const auto keeper = returns_of_keeper(gathering, guard.wrapper);
    if (!keeper) return false;
    if (is_of_all_units(gathering, guard.wrapper)) return true;
    const bool is_partial = is_partial_flag(gathering, guard.wrapper);
    guard.condition = condition_of_wrapper(
        guard.condition, guard.number, is_partial ? Returns::IsThreadZero : *keeper);
    if (is_partial && guard.condition != Condition::ThreadIsZero) guard.condition = Condition::None;
    guard.wrapper = 0;
    return true;
}

void follow_result(const Gathering& gathering, Condition& condition, StringId& wrapper) {
    const auto returned = gathering.returned_keepers.find(wrapper);
    if (wrapper == 0 || returned == gathering.returned_keepers.end()) return;
    const bool is_yes = condition == Condition::ThreadIsNotZero;
    const bool is_flag = returned->second.returns != Returns::Other;
    if (is_flag && !is_yes && condition != Condition::ThreadIsZero) return;
    wrapper = returned->second.wrapper;
    if (is_flag) {
        const bool is_zero = is_yes == (returned->second.returns == Returns::IsThreadZero);
        condition = is_zero ? Condition::ThreadIsZero : Condition::ThreadIsNotZero;
    }
}

void settle_member_asked(const Gathering& gathering,
                         Region& guard,
                         const std::unordered_set<StringId>& counted) {
    const bool is_equal = guard.condition == Condition::ArgumentIs;
    const bool is_asked = (is_equal || guard.condition == Condition::ArgumentIsNot) &&
                          guard.wrapper != 0 && guard.tested.kind == Value::Kind::Parameter;
    if (!is_asked) return;
    const NumberUse* use = use_of(gathering, guard.wrapper);
    const bool is_written = use != nullptr && (use->is_number || use->is_flag || use->copy_of != 0);
    if (!is_written || counted.contains(guard.tested.name)) {
        guard.wrapper = 0;
        return;
    }
    guard.tested = {};
    if (guard.number == 0) {
        guard.condition = is_equal ? Condition::ThreadIsZero : Condition::ThreadIsNotZero;
    } else {
        const bool is_one = is_equal && guard.number > 0;
        guard.condition = is_one ? Condition::ThreadIsOther : Condition::None;
    }
}

namespace {

/// `value` is made of what is the number of the thread plus `added`.
void take_for_number(Value& value, std::int64_t added) {
    added += value.number == 0 ? 0 : value.number - kSumOfNumber;
    value.name = 0;
    value.number = added == 0 ? 0 : kSumOfNumber + added;
}

/// What a function of the unit gives, which may be the number and something.
void settle_result(const Gathering& gathering, const FunctionsBySymbol& functions, Value& value) {
    const auto sum = gathering.returned_sums.find(value.name);
    if (sum != gathering.returned_sums.end() && is_number_or_sum(value)) {
        take_for_number(value, sum->second);
        return;
    }
    const auto function = functions.find(value.name);
    if (function != functions.end() && !says_level(gathering, value.name) &&
        gathering.unit.functions[function->second].returns == Returns::Other)
        value = {};
}

/// An argument that speaks of a keeper, or of what a function gives.
void settle_handed(const Gathering& gathering, const FunctionsBySymbol& functions, Value& value) {
    if (value.kind != Value::Kind::ThreadNumber || value.name == 0) return;
    const auto returned = gathering.returned_keepers.find(value.name);
    if (returned == gathering.returned_keepers.end()) {
        settle_result(gathering, functions, value);
    } else if (returned->second.returns == Returns::Other) {
        value.name = returned->second.wrapper;
    }
    if (value.name == 0) return;
    const auto handed = gathering.handed_of_keepers.find(value.name);
    if (handed != gathering.handed_of_keepers.end()) value.name = handed->second.keeper;
    if (const auto added = sum_kept(gathering, value.name); added && is_number_or_sum(value))
        return take_for_number(value, *added);
    const auto returns = returns_of_keeper(gathering, value.name);
    if (!returns || is_handed_of_all_units(gathering, value.name)) return;
    // What is not such a flag says nothing.
    const bool is_partial = value.number != kIsZero && is_partial_flag(gathering, value.name);
    value.created_once = value.created_once || is_partial;
    const std::int64_t compared =
        compared_with_zero(value.number, is_partial ? Returns::IsThreadZero : *returns);
    if (compared >= 0) {
        value.number = compared;
        value.name = 0;
    } else if (handed != gathering.handed_of_keepers.end()) {
        value = handed->second.instead;
    }
}

}  // namespace

void settle_handed_numbers(Gathering& gathering) {
    const FunctionsBySymbol functions = by_symbol(gathering.unit);
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            for (Value& value : step.arguments)
                settle_handed(gathering, functions, value);
        }
    }
}

void add_numbers(Gathering& gathering) {
    Unit& unit = gathering.unit;
    for (const auto& [keeper, name] : gathering.shared_members) {
        if (name != 0) add_use(gathering, keeper, name, true);
    }
    for (const auto& [keeper, name] : gathering.handed_keepers) {
        if (shared_name(gathering, keeper).empty()) add_use(gathering, keeper, name, false);
    }
    std::ranges::sort(unit.numbers);
    std::ranges::sort(unit.other_numbers);
}

}  // namespace mqinspect::thread_level::plugin

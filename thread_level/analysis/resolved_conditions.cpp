// What a guard says in this program, where one unit can't tell: Program, second part.
#include <algorithm>

#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/program.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Of a member, or what each thread has: whether units write something to it that is not asked for.
bool has_others(const Unit& unit, std::string_view kept) {
    return std::ranges::binary_search(unit.other_numbers, idle_hash(kept));
}

/// Of what is how many threads teams have: more than one have those that are to come, too.
Condition condition_of_size(Condition assumed, std::int64_t number) {
    const bool is_one = assumed == Condition::OneThread ||
                        (number == 1 && assumed == Condition::ThreadIsOther) ||
                        (number == 2 && assumed == Condition::LevelBelow);
    return is_one ? Condition::OneThread : Condition::None;
}

/// Of what is the rank or size of a communicator, which is never below 0.
ResolvedCondition condition_of_told(Condition assumed, std::int64_t number) {
    if (assumed == Condition::ArgumentIs || assumed == Condition::ArgumentIsNot)
        return {.condition = assumed, .number = number};
    const bool is_zero =
        assumed == Condition::ThreadIsZero || (assumed == Condition::LevelBelow && number == 1);
    const bool is_not_zero = assumed == Condition::ThreadIsNotZero ||
                             (assumed == Condition::LevelAtLeast && number == 1);
    if (is_zero || is_not_zero)
        return {.condition = is_zero ? Condition::ArgumentIs : Condition::ArgumentIsNot};
    const bool is_other = assumed == Condition::ThreadIsOther && number > 0;
    if (!is_other) return {};
    return {.condition = Condition::ArgumentIs, .number = number};
}

}  // namespace

ResolvedCondition condition_of_sum(Condition assumed, std::int64_t number, std::int64_t added) {
    const bool is_zero = assumed == Condition::ThreadIsZero;
    const bool is_above = assumed == Condition::LevelAtLeast;
    if ((is_above || assumed == Condition::LevelBelow) && number - added == 1)
        return {.condition = is_above ? Condition::ThreadIsNotZero : Condition::ThreadIsZero};
    const std::int64_t left = (is_zero ? 0 : number) - added;
    // What is below 0 says nothing.
    const bool is_known = is_zero || (assumed == Condition::ThreadIsOther && number > 0);
    if (!is_known || left < 0) return {};
    if (left == 0) return {.condition = Condition::ThreadIsZero};
    return {.condition = Condition::ThreadIsOther, .number = left};
}

ResolvedCondition condition_of_flag(Condition assumed,
                                    std::int64_t number,
                                    std::int8_t if_true,
                                    std::int8_t if_false) {
    if (if_true == kTeamSize && if_false == kTeamSize)
        return {.condition = condition_of_size(assumed, number)};
    if (is_told(if_true, if_false)) return condition_of_told(assumed, number);
    const bool is_true = assumed == Condition::ThreadIsNotZero ||
                         (number == 1 && (assumed == Condition::LevelAtLeast ||
                                          assumed == Condition::ThreadIsOther));
    const bool is_false =
        assumed == Condition::ThreadIsZero || (number == 1 && assumed == Condition::LevelBelow);
    const std::int8_t level = is_true ? if_true : is_false ? if_false : std::int8_t{0};
    if (level == 0 || level == kNeverSo) return {};
    return {.condition = level > 0 ? Condition::LevelAtLeast : Condition::LevelBelow,
            .number = level > 0 ? level : -level};
}

WrittenNumber written_number(const Unit& unit, StringId keeper) {
    const std::string& text = unit.strings[keeper];
    const auto is_written = [&unit](StringId kept) {
        return kept != Strings::kNoString &&
               std::ranges::find(unit.numbers, kept) != unit.numbers.end();
    };
    const std::string flag = name_of_flag(text);
    const bool is_flag = is_written(unit.strings.find(flag));
    return {.is_number = is_written(keeper),
            .is_flag = is_flag,
            .is_partial = is_flag && is_written(unit.strings.find(name_of_partial_flag(text))),
            .is_other = has_others(unit, text) || (is_flag && has_others(unit, flag))};
}

Condition condition_of_wrapper(Condition assumed, std::int64_t number, Returns returns) {
    const bool is_zero = assumed == Condition::ThreadIsZero;
    const bool is_one = assumed == Condition::ThreadIsOther && number == 1;
    const bool is_no_or_yes =
        assumed == Condition::ThreadIsZero || assumed == Condition::ThreadIsNotZero || is_one;
    switch (returns) {
        case Returns::ThreadNumber:
            return assumed;
        case Returns::TeamSize:
            return is_one ? Condition::OneThread : Condition::None;
        case Returns::InParallel:
            if (!is_no_or_yes) break;
            return is_zero ? Condition::NotInParallel : Condition::InParallel;
        case Returns::IsMainThread:
            if (!is_no_or_yes) break;
            return is_zero ? Condition::IsNotMainThread : Condition::IsMainThread;
        case Returns::IsThreadZero:
            if (!is_no_or_yes) break;
            return is_zero ? Condition::ThreadIsNotZero : Condition::ThreadIsZero;
        case Returns::IsNotThreadZero:
            if (!is_no_or_yes) break;
            return is_zero ? Condition::ThreadIsZero : Condition::ThreadIsNotZero;
        case Returns::IsInitialized:
            if (!is_no_or_yes) break;
            return is_zero ? Condition::NotInitialized : Condition::Initialized;
        case Returns::DrewNumber:
        case Returns::DrewFirst:
            return is_no_or_yes && !is_zero ? Condition::DrewNumber : Condition::None;
        case Returns::Other:
        case Returns::Never:
            break;
    }
    return Condition::None;
}

std::int64_t number_of_wrapper(std::int64_t number, Returns returns) {
    if (returns == Returns::ThreadNumber) return number;
    return returns == Returns::DrewFirst ? kChangingNumber : 0;
}

ResolvedCondition Program::condition(const Region& region) const {
    if (region.kind != RegionKind::Guard) return {};
    if (const auto found = handed_conditions_.find(&region); found != handed_conditions_.end())
        return found->second;
    if (has_flag(region)) return {.condition = region.condition, .number = region.number};
    if (region.tested.kind == Value::Kind::Global) return level_condition(region);
    if (region.tested.kind == Value::Kind::Local) return common_condition(region);
    if (region.limit.kind == Value::Kind::Global) return limit_condition(region);
    if (region.limit.kind == Value::Kind::Element) return condition_on_sum(region);
    if (region.wrapper == 0) return {.condition = region.condition, .number = region.number};
    if (is_member_name(unit_.strings[region.wrapper])) return condition_on_kept(region);
    if (const Variable* result = level_flag(region.wrapper)) return flag_condition(region, *result);
    if (const std::string_view end = ended_by(unit_.strings[region.wrapper]); !end.empty()) {
        return never_returns(end)
                   ? ResolvedCondition{.condition = region.condition, .number = region.number}
                   : ResolvedCondition{};
    }
    const GivenNumber given = number_given(region.wrapper);
    if (given.added != 0) return condition_of_sum(region.condition, region.number, given.added);
    return {
        .condition = condition_of_wrapper(region.condition, region.number, given.returns),
        .number = number_of_wrapper(region.number, given.returns),
        .is_unknown = given.is_unknown,
    };
}

/// Of what is not there that is not taken for granted.
bool Program::never_returns(std::string_view function) const {
    const StringId symbol = unit_.strings.find(function);
    const FunctionId known = symbol == Strings::kNoString ? kNone : functions_[symbol];
    return known != kNone &&
           (unit_.functions[known].returns == Returns::Never || is_way_out(known, 0));
}

GivenNumber Program::number_given(StringId function) const {
    const FunctionId known = functions_[function];
    if (known == kNone) {
        const std::string_view name = unit_.strings[function];
        const std::string_view who = asked_for(name);
        const StringId asked = who.empty() ? Strings::kNoString : unit_.strings.find(who);
        const bool is_there = asked != Strings::kNoString && functions_[asked] != kNone;
        return {.is_unknown = !is_there && !is_idle(who.empty() ? name : who)};
    }
    const Value& result = unit_.functions[known].result;
    if (result.kind == Value::Kind::ThreadNumber)
        return {.returns = Returns::ThreadNumber, .added = result.number - kSumOfNumber};
    return {.returns = unit_.functions[known].returns};
}

AllWritten all_written(const WrittenNumber& written, const KeptNumber& kept) {
    return {.is_number = written.is_number || kept.is_number,
            .is_flag = written.is_flag || kept.is_partial,
            .is_partial = written.is_partial || kept.is_partial,
            .is_other = written.is_other || kept.is_other,
            .is_unknown = kept.is_unknown};
}

AllWritten Program::all_written_to(StringId name) const {
    const auto kept = numbers_kept_.find(name);
    return all_written(written_number(unit_, name),
                       kept == numbers_kept_.end() ? KeptNumber{} : kept->second);
}

/// The one member that gives all teams of the program their size.
void Program::find_given_size() {
    bool is_first = true;
    for (const Function& function : unit_.functions) {
        for (const Region& region : function.regions) {
            if (region.kind != RegionKind::Parallel || region.team == Team::Never) continue;
            if (region.name == 0 || (!is_first && region.name != given_size_)) {
                given_size_ = Strings::kNoString;
                return;
            }
            given_size_ = region.name;
            is_first = false;
        }
    }
}

/// On such a member or variable, which has the number, or says whether that is 0.
ResolvedCondition Program::condition_on_kept(const Region& region) const {
    if (region.wrapper == given_size_) {
        const Condition asked = condition_of_size(region.condition, region.number);
        if (asked != Condition::None) return {.condition = asked};
    }
    if (region.condition == Condition::OneThread) return {};
    if (const Variable* flag = level_flag(region.wrapper)) return flag_condition(region, *flag);
    const AllWritten kept = all_written_to(region.wrapper);
    const bool is_own = kept.is_other && own_numbers_.has(region.wrapper);
    const bool asks_for_one = region.condition == Condition::ThreadIsZero ||
                              (region.condition == Condition::ThreadIsOther && region.number > 0);
    if (is_own && asks_for_one) return {.number = region.number, .own = region.wrapper};
    if (kept.is_other || (kept.is_number && kept.is_flag)) return {};
    if (kept.is_number) return {.condition = region.condition, .number = region.number};
    if (!kept.is_flag) {
        const bool is_of_thread = unit_.strings[region.wrapper].starts_with(kOwnOfThread);
        return {.is_unknown = is_of_thread || kept.is_unknown};
    }
    const Condition condition =
        condition_of_wrapper(region.condition, region.number, Returns::IsThreadZero);
    if (kept.is_partial && condition != Condition::ThreadIsZero) return {};
    return {.condition = condition};
}

/// On the sum of two such, or of one and the number itself, of which neither is below 0.
ResolvedCondition Program::condition_on_sum(const Region& region) const {
    const AllWritten first =
        region.wrapper == 0 ? AllWritten{.is_number = true} : all_written_to(region.wrapper);
    const AllWritten second = all_written_to(region.limit.name);
    if (first.is_other || second.is_other || first.is_flag || second.is_flag) return {};
    if (!first.is_number && !second.is_number)
        return {.is_unknown = first.is_unknown || second.is_unknown};
    return {.condition = region.condition, .number = region.number};
}

/// On what all threads of a team have in common, if no team of another unit writes to it.
ResolvedCondition Program::common_condition(const Region& region) const {
    const Variable* common =
        region.limit.kind == Value::Kind::Global ? variable(region.limit.name) : nullptr;
    if (common != nullptr && changes_in_team(*common)) return {};
    return {.condition = region.condition, .number = region.number};
}

bool Program::is_level(const Value& value) const {
    const Variable* known = variable(value.name);
    return value.kind == Value::Kind::Global && known != nullptr && known->holds_provided;
}

const Variable* Program::level_flag(StringId name) const {
    const Variable* flag = variable(name);
    return flag != nullptr && is_level_flag(*flag) ? flag : nullptr;
}

/// On a flag that says what level is provided.
ResolvedCondition Program::flag_condition(const Region& region, const Variable& flag) const {
    const std::string& text = unit_.strings[flag.name];
    const bool may_be_constant = is_told(flag.level_if_true, flag.level_if_false);
    const bool has_other =
        has_others(unit_, text) || (!may_be_constant && has_others(unit_, name_of_flag(text)));
    if (is_member_name(text) && has_other) return {};
    return condition_of_flag(
        region.condition, region.number, flag.level_if_true, flag.level_if_false);
}

bool Program::is_number(const Value& value, std::int64_t& number) const {
    const Variable* known = variable(value.name);
    if (value.kind != Value::Kind::Global || known == nullptr || !known->has_constant) return false;
    number = known->constant;
    return true;
}

/// Of `level == MPI_THREAD_MULTIPLE`, where `level` is a global variable; the number may be in one,
/// too, and only the whole program tells which of the two is which.
ResolvedCondition Program::level_condition(const Region& region) const {
    ResolvedCondition resolved{.condition = region.condition, .number = region.number};
    if (region.condition == Condition::ThreadIsZero) {
        const Variable* size = variable(region.tested.name);
        return size != nullptr && size->level_if_true == kTeamSize ? resolved : ResolvedCondition{};
    }
    if (region.limit.kind == Value::Kind::Unknown) {
        if (is_level(region.tested)) return resolved;
        if (region.tested.name == given_size_)
            return {.condition = condition_of_size(region.condition, region.number)};
        const Variable* flag = level_flag(region.tested.name);
        return flag == nullptr ? ResolvedCondition{} : flag_condition(region, *flag);
    }
    const bool is_known = is_level(region.tested)
                              ? is_number(region.limit, resolved.number)
                              : is_level(region.limit) && is_number(region.tested, resolved.number);
    const bool is_sure = region.condition == Condition::LevelAtLeast || resolved.number >= 3;
    return is_known && is_sure ? resolved : ResolvedCondition{};
}

/// Of `thread == root + number`, where no team writes to the global variable `root`.
ResolvedCondition Program::limit_condition(const Region& region) const {
    const Variable* root = variable(region.limit.name);
    if (root == nullptr || changes_in_team(*root)) return {};
    if (root->other_writes != 0) {
        // One thread, whichever it is.
        const bool is_one = region.condition == Condition::ThreadIsOther;
        return {.condition = is_one ? Condition::ThreadIsOther : Condition::None};
    }
    if (!root->has_constant) return {.is_unknown = !root->is_local};
    const std::int64_t number = root->constant + region.number;
    if (region.condition == Condition::ThreadIsOther && number >= 0) {
        return {.condition = number == 0 ? Condition::ThreadIsZero : Condition::ThreadIsOther,
                .number = number};
    }
    const bool is_not_zero = region.condition == Condition::ThreadIsNotZero && number == 0;
    return {.condition = is_not_zero ? Condition::ThreadIsNotZero : Condition::None};
}

std::int64_t Program::assured_by(const Region& region) const {
    const ResolvedCondition resolved = condition(region);
    return resolved.condition == Condition::LevelAtLeast ? resolved.number : 0;
}

std::int64_t Program::assured_in_team(const Region& region) const {
    const bool asks =
        region.kind == RegionKind::Parallel && region.condition == Condition::LevelAtLeast;
    return asks ? region.tested.number : 0;
}

}  // namespace mqinspect::thread_level

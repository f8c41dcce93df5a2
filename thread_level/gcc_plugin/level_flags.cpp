#include "thread_level/gcc_plugin/level_flags.h"

#include <algorithm>
#include <array>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_known(std::int8_t level) {
    return level != 0 && level != kNeverSo;
}

/// Whatever else is written to it are constants.
bool is_number(const LevelFlag& flag) {
    return is_told(flag.if_true, flag.if_false) ||
           (flag.if_true == kTeamSize && flag.if_false == kTeamSize);
}

/// What is written to one keeper.
struct Writes {
    std::int8_t if_true = kNeverSo;
    std::int8_t if_false = kNeverSo;
    bool is_computed = false;
    bool is_set = false;  ///< to a constant, whatever is provided
    bool is_reset = false;
    std::uint32_t count = 0;
};

void add(const LevelFlagWrite& write, bool holds, Writes& writes) {
    ++writes.count;
    const bool says_anything = is_known(write.if_true) || is_known(write.if_false);
    if (write.is_constant && !says_anything) {
        (write.if_true == 0 ? writes.is_set : writes.is_reset) = true;
        return;
    }
    writes.is_computed = writes.is_computed || !write.is_constant;
    writes.if_true = holds ? level_of_both(writes.if_true, write.if_true) : std::int8_t{0};
    writes.if_false = holds ? level_of_both(writes.if_false, write.if_false) : std::int8_t{0};
}

std::int8_t otherwise(std::int8_t level) {
    return is_known(level) ? static_cast<std::int8_t>(-level) : kNeverSo;
}

/// What is set where something is provided, is left as it was by default elsewhere.
LevelFlag flag_of(const Writes& writes) {
    LevelFlag flag{.if_true = writes.if_true, .if_false = writes.if_false, .writes = writes.count};
    if (is_number(flag)) return flag;
    const bool by_default = !writes.is_computed;
    if (by_default && !is_known(flag.if_true)) flag.if_true = otherwise(writes.if_false);
    if (by_default && !is_known(flag.if_false)) flag.if_false = otherwise(writes.if_true);
    const bool is_default = by_default && is_known(writes.if_false) && !is_known(writes.if_true);
    if (writes.is_set && !is_default) flag.if_true = 0;
    const bool is_one_of_two = is_known(writes.if_false) || !is_known(writes.if_true);
    if (writes.is_reset && by_default && is_one_of_two) flag.if_false = 0;
    return flag;
}

/// How often the unit writes to static variables in which MPI tells a rank or size, by their names.
using WritesOfTold = std::unordered_map<StringId, std::uint32_t>;

WritesOfTold writes_of_told(Gathering& gathering) {
    WritesOfTold writes;
    for (const auto& [uid, use] : gathering.globals) {
        if (use.tellings != 0) {
            writes.emplace(gathering.symbol(use.declaration),
                           use.other_writes + use.creations + use.tellings);
        }
    }
    return writes;
}

/// Others may ask for what it returns.
bool is_for_others(tree function) {
    return TREE_PUBLIC(function) && !DECL_COMDAT(function);
}

}  // namespace

std::int8_t level_said(const Implication& side) {
    const bool is_plain = side.limit.kind == Value::Kind::Unknown && side.wrapper == 0;
    if (!is_plain || side.number < 1 || side.number > 3) return 0;
    const auto number = static_cast<std::int8_t>(side.number);
    if (side.condition == Condition::LevelBelow) return static_cast<std::int8_t>(-number);
    return side.condition == Condition::LevelAtLeast ? number : std::int8_t{0};
}

/// What a write says, or a `return`: of a constant by what is known where it is written.
bool Conditions::note_level_flag(StringId keeper, tree written, const Located& at) {
    LevelFlagWrite write{.keeper = keeper};
    write.statement = at.statement;
    write.function = current_function_decl;
    operands_left_ = kMostOperands;
    if (TREE_CODE(written) == INTEGER_CST) {
        const bool is_true = integer_zerop(written) == 0;
        const bool is_boolean = !is_true || integer_onep(written) != 0;
        const Implication known =
            is_boolean && is_left_out(at) ? known_at(at, kDepth) : Implication{};
        const std::int8_t level = level_said(known);
        write.is_constant = true;
        write.level = known.provided_global;
        write.if_true = is_true ? level : kNeverSo;
        write.if_false = is_true || level == 0 ? kNeverSo : level;
        if (level < 0 && !is_true) note_cleared(write, at);
        gathering_.level_flag_writes.push_back(write);
        return level != 0;
    }
    const Branch said = of_boolean(written, at.context, kDepth);
    write.if_true = level_said(said.when_true);
    write.if_false = level_said(said.when_false);
    write.level = said.when_true.provided_global;
    // `provided == MPI_THREAD_SERIALIZED`, of what is at least that.
    for (const bool is_true : {true, false}) {
        const Implication& side = is_true ? said.when_true : said.when_false;
        if (!side.is_exact || side.number < 1 || side.number >= 3) continue;
        const auto above = static_cast<std::int8_t>(side.number + 1);
        write.level = side.provided_global;
        write.if_true = is_true ? static_cast<std::int8_t>(-above) : above;
        write.if_false = is_true ? above : static_cast<std::int8_t>(-above);
    }
    if (write.if_true == 0 && write.if_false == 0) note_copied_flag(written, at, write);
    const bool is_flag = write.if_true != 0 || write.if_false != 0;
    gathering_.level_flag_writes.push_back(write);
    return is_flag;
}

/// Whether a branch leads around the write, to where all ways go on.
bool Conditions::is_left_out(const Located& write) {
    const tree label = source_.label_of_way(write.statement);
    if (label == NULL_TREE) return false;
    return std::ranges::any_of(std::array{true, false}, [&](bool is_true_side) {
        const Located* branch = source_.only_branch_to(label, is_true_side);
        const gimple* next = branch == nullptr ? nullptr : branch->statement->next;
        return next != nullptr && gimple_code(next) == GIMPLE_LABEL &&
               gimple_label_label(as_a<const glabel*>(next)) == label;
    });
}

/// What is written may be another flag, or how many threads a team has.
void Conditions::note_copied_flag(tree written, const Located& at, LevelFlagWrite& write) {
    operands_left_ = kMostOperands;
    const Located* made = is_local_name(written) ? values_.only_definition(written) : nullptr;
    const bool is_copy = made != nullptr && is_copying(made->statement);
    if (is_told(is_copy ? gimple_assign_rhs1(made->statement) : written)) {
        write.if_true = write.if_false = kTold;
        return;
    }
    const Operand operand = classify(written, at.context, kDepth);
    if (operand.shift != 0) return;
    if (operand.quantity == Quantity::TeamSize || operand.quantity == Quantity::MaxThreads)
        write.if_true = write.if_false = kTeamSize;
    if (operand.quantity == Quantity::Wrapped) write.copy_of = operand.wrapper;
    if (operand.quantity == Quantity::Provided) write.copy_of = operand.global.name;
}

void Conditions::note_level_flags() {
    for (const auto* writes : {&source_.number_writes, &source_.size_writes}) {
        for (const Located& at : *writes) {
            const tree variable = gimple_get_lhs(at.statement);
            if (!VAR_P(variable) || DECL_THREAD_LOCAL_P(variable)) continue;
            const StringId name = gathering_.symbol(variable);
            if (gimple_assign_single_p(at.statement)) {
                note_level_flag(name, gimple_assign_rhs1(at.statement), at);
            } else if (writes == &source_.size_writes) {
                gathering_.level_flag_writes.push_back(
                    {.keeper = name, .if_true = kTeamSize, .if_false = kTeamSize});
            }
        }
    }
}

void settle_level_flags(Gathering& gathering, const std::function<bool(unsigned)>& is_level) {
    std::unordered_map<StringId, Writes> all;
    std::vector<LevelFlagWrite> copies;
    std::unordered_map<StringId, std::uint32_t> waiting;  // copies to it
    for (const LevelFlagWrite& write : gathering.level_flag_writes) {
        if (write.copy_of != 0) {
            copies.push_back(write);
            ++waiting[write.keeper];
        } else {
            add(write, write.level == 0 || is_level(write.level), all[write.keeper]);
        }
    }
    const WritesOfTold told = writes_of_told(gathering);
    const auto is_done = [&](const LevelFlagWrite& copy) {
        const auto found = all.find(copy.copy_of);
        if (found == all.end() || waiting[copy.copy_of] != 0) return false;
        LevelFlag from = flag_of(found->second);
        const auto writes = told.find(copy.copy_of);
        if (writes != told.end() && writes->second > found->second.count) from = {};
        add({.keeper = copy.keeper, .if_true = from.if_true, .if_false = from.if_false},
            true,
            all[copy.keeper]);
        --waiting[copy.keeper];
        return true;
    };
    while (std::erase_if(copies, is_done) != 0) {
    }
    for (const LevelFlagWrite& copy : copies) {
        if (all[copy.keeper].count == 0 && waiting[copy.keeper] == 1)
            gathering.copied_flags.emplace(copy.keeper, copy.copy_of);
        add({.keeper = copy.keeper}, false, all[copy.keeper]);
    }
    for (const auto& [keeper, writes] : all) {
        const LevelFlag flag = flag_of(writes);
        if (flag.if_true != 0 || flag.if_false != 0) gathering.level_flags.emplace(keeper, flag);
    }
    gathering.level_flag_writes.clear();
}

bool says_level(const Gathering& gathering, StringId keeper) {
    const auto flag = gathering.level_flags.find(keeper);
    return flag != gathering.level_flags.end() &&
           (is_known(flag->second.if_true) || is_known(flag->second.if_false));
}

void settle_level_guard(const Gathering& gathering, Region& guard) {
    const bool is_named =
        guard.tested.kind == Value::Kind::Global || guard.tested.kind == Value::Kind::Parameter;
    const StringId keeper = guard.wrapper == 0 && is_named ? guard.tested.name : guard.wrapper;
    const auto flag = gathering.level_flags.find(keeper);
    if (keeper == 0 || flag == gathering.level_flags.end()) return;
    const bool is_told_number = is_told(flag->second.if_true, flag->second.if_false);
    if (guard.wrapper == 0 && !is_told_number) return;
    const ResolvedCondition condition = condition_of_flag(
        guard.condition, guard.number, flag->second.if_true, flag->second.if_false);
    if (condition.condition == Condition::None && !is_told_number) return;
    guard.condition = condition.condition;
    guard.number = condition.number;
    guard.wrapper = 0;
    guard.tested = {};
    guard.limit = {};
    if (!is_told_number) return;
    guard.tested.kind = Value::Kind::Local;
    guard.tested.name = keeper;
    guard.tested.is_shared = true;
}

void set_levels(const Gathering& gathering, Variable& variable) {
    const auto flag = gathering.level_flags.find(variable.name);
    if (flag == gathering.level_flags.end() || flag->second.writes != variable.other_writes) return;
    variable.level_if_true = flag->second.if_true;
    variable.level_if_false = flag->second.if_false;
}

void add_flag_members(Gathering& gathering) {
    for (const auto& [member, name] : gathering.shared_members) {
        if (name == 0 || !says_level(gathering, name)) continue;
        const LevelFlag& flag = gathering.level_flags.at(name);
        Variable variable;
        variable.name = name;
        variable.other_writes = flag.writes;
        variable.level_if_true = flag.if_true;
        variable.level_if_false = flag.if_false;
        gathering.unit.variables.push_back(variable);
    }
}

void add_told_results(Gathering& gathering) {
    for (const auto* functions : {&gathering.declarations, &gathering.idle}) {
        for (const tree function : *functions) {
            if (!is_for_others(function)) continue;
            const auto flag = gathering.level_flags.find(gathering.symbol(function));
            const bool is_number = flag != gathering.level_flags.end() &&
                                   is_told(flag->second.if_true, flag->second.if_false);
            if (!is_number) continue;
            Variable result;
            result.name = flag->first;
            result.level_if_true = result.level_if_false = kTold;
            gathering.unit.variables.push_back(result);
        }
    }
}

}  // namespace mqinspect::thread_level::plugin

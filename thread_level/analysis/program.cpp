#include "thread_level/analysis/program.h"

#include <algorithm>
#include <optional>

#include "thread_level/analysis/components.h"
#include "thread_level/analysis/endings.h"
#include "thread_level/analysis/externals.h"
#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/handed_numbers.h"
#include "thread_level/analysis/single_starts.h"
#include "thread_level/analysis/turn_values.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/signature.h"

namespace mqinspect::thread_level {
namespace {

bool is_sound(const Function& function) {
    const auto regions = static_cast<RegionId>(function.regions.size());
    const auto steps = static_cast<StepId>(function.steps.size());
    if (regions == 0) return false;
    for (RegionId i = 1; i < regions; ++i) {
        if (function.regions[i].parent >= i) return false;
    }
    return std::all_of(function.steps.begin(), function.steps.end(), [&](const Step& step) {
        const bool has_target = step.kind == StepKind::Enter || step.kind == StepKind::Leave;
        return step.region < regions && (!has_target || step.target < regions) &&
               std::all_of(step.next.begin(), step.next.end(), [steps](StepId next) {
                   return next < steps;
               });
    });
}

bool does_something(const Function& function) {
    return std::any_of(function.regions.begin(), function.regions.end(), speaks_by_itself) ||
           std::any_of(function.steps.begin(), function.steps.end(), [](const Step& step) {
               return step.kind != StepKind::Join && step.kind != StepKind::Enter &&
                      step.kind != StepKind::Leave && step.kind != StepKind::Call &&
                      step.kind != StepKind::Exit;
           });
}

/// Functions that do something, or call such. Notes leave out others, so that nothing may depend
/// on them.
std::vector<bool> functions_that_matter(const Unit& unit, const std::vector<FunctionId>& by_name) {
    std::vector<bool> matters(unit.functions.size(), false);
    std::vector<std::vector<FunctionId>> users(unit.functions.size());
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        for (const Step& step : unit.functions[id].steps) {
            if (step.kind == StepKind::Call && by_name[step.name] != kNone)
                users[by_name[step.name]].push_back(id);
            for (const StringId callback : step.callbacks) {
                if (by_name[callback] != kNone) users[by_name[callback]].push_back(id);
            }
        }
        matters[id] = does_something(unit.functions[id]);
    }
    mark_users(matters, users);
    return matters;
}

}  // namespace

namespace {

/// Of what is how many threads teams have: more than one have those that are to come, too.
Condition condition_of_size(Condition assumed, std::int64_t number) {
    const bool is_one = (number == 1 && assumed == Condition::ThreadIsOther) ||
                        (number == 2 && assumed == Condition::LevelBelow);
    return is_one ? Condition::OneThread : Condition::None;
}

}  // namespace

ResolvedCondition condition_of_flag(Condition assumed,
                                    std::int64_t number,
                                    std::int8_t if_true,
                                    std::int8_t if_false) {
    if (if_true == kTeamSize && if_false == kTeamSize)
        return {.condition = condition_of_size(assumed, number)};
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
    const auto has_others = [&unit](std::string_view kept) {
        return std::ranges::binary_search(unit.other_numbers, idle_hash(kept));
    };
    const std::string flag = name_of_flag(text);
    const bool is_flag = is_written(unit.strings.find(flag));
    return {.is_number = is_written(keeper),
            .is_flag = is_flag,
            .is_other = has_others(text) || (is_flag && has_others(flag))};
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
        case Returns::Other:
            break;
    }
    return Condition::None;
}

Program::Program(const Unit& unit, bool is_whole) : unit_(unit) {
    find_sound_functions();
    name_functions();
    find_edges();
    find_callers();
    find_executed(is_whole);
    find_changing();
    const auto calls_from = [this](Node node) { return calls(node); };
    components_ = components_of(nodes(), calls_from);
    ways_out_ = ways_out(*this);
    own_numbers_ = OwnNumbers(*this);
    handed_conditions_ = conditions_on_handed_numbers(*this);
    numbers_kept_ = numbers_kept(*this);
    turns_ = turns_of(*this);
    lone_starts_ = lone_starts(*this);
    single_guards_ = single_guards(*this);
}

StringId Program::run_by(const Step& step, Node callee) const {
    if (step.kind != StepKind::StartThread || !step.is_virtual || !is_function(callee)) return 0;
    const std::vector<StringId>& slots = unit_.functions[callee].overrides;
    const auto slot = std::ranges::find_if(
        slots, [this](StringId id) { return is_task_slot(unit_.strings[id]); });
    return slot == slots.end() ? 0 : *slot;
}

bool Program::is_main(FunctionId id) const {
    return is_main_program(unit_.strings[unit_.functions[id].symbol]);
}

std::span<const Step> Program::steps(Node node) const {
    if (!is_function(node) || !sound_[node]) return {};
    return unit_.functions[node].steps;
}

std::span<const Region> Program::regions(Node node) const {
    if (!is_function(node) || !sound_[node]) return {};
    return unit_.functions[node].regions;
}

std::span<const CallEdge> Program::calls(Node node) const {
    return std::span(calls_).subspan(first_call_[node], first_call_[node + 1] - first_call_[node]);
}

std::span<const CallerEdge> Program::callers(Node node) const {
    return std::span(callers_).subspan(first_caller_[node],
                                       first_caller_[node + 1] - first_caller_[node]);
}

std::span<const CallEdge> Program::calls_of(Node node, StepId step) const {
    const std::span<const CallEdge> all = calls(node);
    const auto [first, last] = std::equal_range(
        all.begin(), all.end(), CallEdge{.step = step}, [](const CallEdge& a, const CallEdge& b) {
            return a.step < b.step;
        });
    return {first, last};
}

Procedure Program::procedure(StringId name) const {
    return procedures_[name];
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
    const FunctionId wrapper = functions_[region.wrapper];
    if (is_member_name(unit_.strings[region.wrapper])) return condition_on_kept(region);
    if (wrapper == kNone) return {.is_unknown = !is_idle(unit_.strings[region.wrapper])};
    const Returns returns = unit_.functions[wrapper].returns;
    const Condition condition = condition_of_wrapper(region.condition, region.number, returns);
    const bool by_number = returns == Returns::ThreadNumber;
    return {.condition = condition, .number = by_number ? region.number : 0};
}

Program::Kept Program::kept_in(StringId name) const {
    const WrittenNumber written = written_number(unit_, name);
    const auto handed = numbers_kept_.find(name);
    const KeptNumber kept = handed == numbers_kept_.end() ? KeptNumber{} : handed->second;
    return {.is_number = written.is_number || kept.is_number,
            .is_flag = written.is_flag,
            .is_other = written.is_other || kept.is_other,
            .is_unknown = kept.is_unknown};
}

/// On such a member or variable, which has the number, or says whether that is 0.
ResolvedCondition Program::condition_on_kept(const Region& region) const {
    if (is_level_flag(region.wrapper)) return flag_condition(region, region.wrapper);
    const Kept kept = kept_in(region.wrapper);
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
    return {.condition =
                condition_of_wrapper(region.condition, region.number, Returns::IsThreadZero)};
}

/// On the sum of two such, or of one and the number itself, of which neither is below 0.
ResolvedCondition Program::condition_on_sum(const Region& region) const {
    const Kept first = region.wrapper == 0 ? Kept{.is_number = true} : kept_in(region.wrapper);
    const Kept second = kept_in(region.limit.name);
    if (first.is_other || second.is_other || first.is_flag || second.is_flag) return {};
    if (!first.is_number && !second.is_number)
        return {.is_unknown = first.is_unknown || second.is_unknown};
    return {.condition = region.condition, .number = region.number};
}

/// By functions that are called where teams are.
void Program::find_changing() {
    if (unit_.writers.empty()) return;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> written_by;  // idle_hash()
    for (const NumberWriter& each : unit_.writers) {
        if (each.function == 0) changing_.insert(each.variable);
        written_by[each.function].push_back(each.variable);
    }
    std::unordered_map<StringId, std::uint32_t> hashes;
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        std::optional<bool> is_alone;
        for (const Step& step : steps(id)) {
            if (step.kind != StepKind::Call) continue;
            const auto [hash, is_new] = hashes.try_emplace(step.name);
            if (is_new) hash->second = idle_hash(unit_.strings[step.name]);
            const auto written = written_by.find(hash->second);
            if (written == written_by.end()) continue;
            if (!is_alone) is_alone = is_serial(*this, id);
            if (*is_alone && !is_in_team(*this, id, step.region)) continue;
            changing_.insert(written->second.begin(), written->second.end());
        }
    }
}

bool Program::changes_in_team(const Variable& number) const {
    return number.changes_in_team || changing_.contains(idle_hash(unit_.strings[number.name]));
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

bool Program::is_level_flag(StringId name) const {
    const Variable* flag = variable(name);
    return flag != nullptr && (flag->level_if_true != 0 || flag->level_if_false != 0);
}

/// Of a flag that says what level is provided.
ResolvedCondition Program::flag_condition(const Region& region, StringId name) const {
    const Variable& flag = *variable(name);
    const auto is_written = [this](std::string_view kept) {
        return std::ranges::binary_search(unit_.other_numbers, idle_hash(kept));
    };
    const std::string& text = unit_.strings[name];
    if (is_member_name(text) && (is_written(text) || is_written(name_of_flag(text)))) return {};
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
        return is_level_flag(region.tested.name) ? flag_condition(region, region.tested.name)
                                                 : ResolvedCondition{};
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

const Variable* Program::variable(StringId name) const {
    return variables_[name] == kNone ? nullptr : &unit_.variables[variables_[name]];
}

void Program::find_sound_functions() {
    sound_.reserve(unit_.functions.size());
    for (const Function& function : unit_.functions)
        sound_.push_back(is_sound(function));
}

void Program::name_functions() {
    const std::uint32_t strings = unit_.strings.size();
    functions_.assign(strings, kNone);
    variables_.assign(strings, kNone);
    procedures_.resize(strings);
    by_slot_.resize(strings);
    dispatch_by_type_.assign(strings, kNone);
    dispatch_by_slot_.assign(strings, kNone);
    is_unknown_.assign(strings, false);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        if (functions_[function.symbol] == kNone) functions_[function.symbol] = id;
    }
    const std::vector<bool> matters = functions_that_matter(unit_, functions_);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        if (!matters[id]) continue;
        if (function.address_taken && function.type != 0)
            by_shape_[shape_of_signature(unit_.strings[function.type])].push_back(id);
        for (const StringId slot : function.overrides)
            by_slot_[slot].push_back(id);
    }
    for (std::uint32_t i = 0; i < unit_.variables.size(); ++i)
        variables_[unit_.variables[i].name] = i;
}

void Program::find_edges() {
    std::vector<bool> is_procedure(unit_.strings.size(), false);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const std::span<const Step> all = steps(id);
        for (StepId i = 0; i < all.size(); ++i) {
            const Step& step = all[i];
            if (step.kind == StepKind::Mpi && !is_procedure[step.name]) {
                is_procedure[step.name] = true;
                procedures_[step.name] = procedure_of(unit_.strings[step.name]);
            }
            add_call(id, i, step);
        }
    }
    const Node count = static_cast<Node>(unit_.functions.size()) + dispatches_;
    first_call_.assign(count + 1, 0);
    for (const Edge& edge : edges_)
        ++first_call_[edge.from + 1];
    for (Node node = 0; node < count; ++node)
        first_call_[node + 1] += first_call_[node];
    std::vector<std::uint32_t> at(first_call_.begin(), first_call_.end() - 1);
    calls_.resize(edges_.size());
    for (const Edge& edge : edges_)
        calls_[at[edge.from]++] = edge.edge;
    edges_ = {};
    for (const StringId symbol : unit_.taken)
        note_unknown(symbol);
}

void Program::add_call(FunctionId function, StepId id, const Step& step) {
    const bool is_start = step.kind == StepKind::StartThread;
    if (is_start && step.is_by_type) {
        starts_threads_ = true;
        const Node to = dispatch_to(step.name, false);
        if (to == kNone) return;
        edges_.push_back(
            {.from = function, .edge = {.step = id, .to = to, .kind = CallKind::Start}});
    } else if (step.kind == StepKind::Call || is_start) {
        starts_threads_ = starts_threads_ || is_start;
        const FunctionId callee = functions_[step.name];
        const CallKind kind = is_start ? CallKind::Start : CallKind::Call;
        if (callee != kNone) {
            edges_.push_back({.from = function, .edge = {.step = id, .to = callee, .kind = kind}});
        } else {
            add_external(function, id, step);
        }
    } else if (runs_task(step)) {
        return;  // what may run is known where it is made
    } else if (step.kind == StepKind::Indirect) {
        const Node to = dispatch_to(step.name, step.is_virtual);
        if (to != kNone) edges_.push_back({.from = function, .edge = {.step = id, .to = to}});
    }
}

/// What is handed to a function that is not there may be called by it; one whose notes say that it
/// has nothing to do with MPI calls nothing by pointers.
void Program::add_external(FunctionId function, StepId id, const Step& step) {
    const std::string& name = unit_.strings[step.name];
    if (keeps_callbacks(name) || is_idle(name)) return;
    for (const StringId callback : step.callbacks) {
        const FunctionId callee = functions_[callback];
        if (callee != kNone)
            edges_.push_back({.from = function, .edge = {.step = id, .to = callee}});
    }
    note_unknown(step.name);
}

void Program::note_unknown(StringId symbol) {
    const std::string& name = unit_.strings[symbol];
    if (is_unknown_[symbol] || is_harmless(name) || is_idle(name)) return;
    is_unknown_[symbol] = true;
    unknown_callees_.push_back(symbol);
}

bool Program::is_idle(std::string_view symbol) const {
    return std::binary_search(unit_.idle.begin(), unit_.idle.end(), idle_hash(symbol));
}

/// Those that a pointer may have had before it was cast to one of `type`, and that; empty: any of
/// the shape, as it may have been something of another shape.
std::vector<StringId> Program::types_cast_to(StringId type) const {
    const std::string shape = shape_of_signature(unit_.strings[type]);
    std::vector<StringId> types = {type};
    for (std::size_t i = 0; i < types.size(); ++i) {
        for (const SignatureCast& cast : unit_.casts) {
            if (cast.to != types[i] || std::ranges::find(types, cast.from) != types.end()) continue;
            if (shape_of_signature(unit_.strings[cast.from]) != shape) return {};
            types.push_back(cast.from);
        }
    }
    return types;
}

/// Whose signature a call of the one may mean.
const std::vector<FunctionId>& Program::of_type(StringId type) {
    const auto [known, is_new] = of_type_.try_emplace(type);
    if (!is_new) return known->second;
    const auto alike = by_shape_.find(shape_of_signature(unit_.strings[type]));
    if (alike == by_shape_.end()) return known->second;
    const std::vector<StringId> types = types_cast_to(type);
    for (const FunctionId id : alike->second) {
        const std::string& own = unit_.strings[unit_.functions[id].type];
        const bool is_meant = std::ranges::any_of(
            types, [&](StringId one) { return are_compatible(unit_.strings[one], own); });
        if (is_meant || types.empty()) known->second.push_back(id);
    }
    return known->second;
}

Node Program::dispatch_to(StringId name, bool is_virtual) {
    const std::vector<FunctionId>& candidates = is_virtual ? by_slot_[name] : of_type(name);
    if (name == 0 || candidates.empty()) return kNone;
    if (candidates.size() == 1) return candidates.front();
    Node& node = is_virtual ? dispatch_by_slot_[name] : dispatch_by_type_[name];
    if (node == kNone) {
        node = static_cast<Node>(unit_.functions.size()) + dispatches_++;
        for (const FunctionId callee : candidates)
            edges_.push_back({.from = node, .edge = {.to = callee, .kind = CallKind::Dispatch}});
    }
    return node;
}

void Program::find_callers() {
    first_caller_.assign(nodes() + 1, 0);
    for (const CallEdge& edge : calls_)
        ++first_caller_[edge.to + 1];
    for (Node node = 0; node < nodes(); ++node)
        first_caller_[node + 1] += first_caller_[node];
    std::vector<std::uint32_t> at(first_caller_.begin(), first_caller_.end() - 1);
    callers_.resize(calls_.size());
    for (Node node = 0; node < nodes(); ++node) {
        for (const CallEdge& edge : calls(node))
            callers_[at[edge.to]++] = {.from = node, .step = edge.step, .kind = edge.kind};
    }
}

}  // namespace mqinspect::thread_level

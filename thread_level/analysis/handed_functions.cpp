#include "thread_level/analysis/handed_functions.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "thread_level/analysis/externals.h"
#include "thread_level/facts/object_calls.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Beyond that many, calls of the rest are taken to mean any function of the type.
constexpr std::size_t kMostCopies = 4096;
constexpr std::size_t kMostCopiesOfOne = 64;
/// Of steps in one.
constexpr std::size_t kMostSteps = 2000;

/// What a call hands over.
struct Handed {
    std::vector<Value> functions;  // by position; Unknown: nothing that is known
    std::vector<Value> members;    // of what comes first: is_member_function()
    StringId object_class = 0;     // of the object that comes first

    bool is_any() const { return !functions.empty() || !members.empty() || object_class != 0; }
};

/// Whether the one argument is what the function itself gets first.
bool hands_on_first(const Step& call) {
    return call.kind == StepKind::Call && call.arguments.size() == 1 &&
           is_whole_parameter(call.arguments.front()) && call.arguments.front().number == 0;
}

class Copying {
public:
    explicit Copying(const Unit& unit);

    std::optional<HandedFunctions> run();

private:
    void find_takers();
    bool note_taken(FunctionId id, const Value& value);
    bool note_taken(FunctionId id, const Step& step);
    bool note_taken_member(FunctionId id, std::int64_t member);
    std::int64_t called_member(const Value& callee) const;
    bool owns_turns(const Function& function) const;
    bool may_be_copied(FunctionId id) const;
    std::optional<FunctionId> callee_of(const Step& step) const;
    Handed handed_by(FunctionId callee, const Step& call) const;
    bool hands_over(const Function& function) const;
    void bind_calls(FunctionId id);
    void bind_call(FunctionId id, StepId step);
    std::optional<FunctionId> copy_for(FunctionId callee, const Handed& handed);
    void bind(Function& copy, const Handed& handed) const;
    void bind_callee(Step& step, const Value& function) const;
    void bind_member(Step& step, const std::vector<Value>& members) const;
    void bind_virtual(Step& step, StringId object_class) const;
    std::optional<std::vector<StringId>> meant_by(StringId slot, StringId object_class) const;
    bool is_idle(const Value& function) const;

    const Unit& given_;
    Unit unit_;  // given_ once there is a copy
    std::unordered_map<StringId, FunctionId> by_symbol_;
    std::vector<std::vector<bool>> takes_;  // by function of the given unit and position
    std::vector<std::set<std::int64_t>> takes_members_;  // likewise: of what comes first
    bool any_takes_ = false;
    std::vector<bool> takes_objects_;  // by function of the given unit
    std::unordered_map<StringId, const VirtualTable*> tables_;
    std::unordered_map<StringId, std::vector<FunctionId>> by_slot_;
    std::map<std::pair<FunctionId, std::vector<StringId>>, FunctionId> copies_;
    std::vector<std::size_t> copies_of_;  // by function
    std::vector<FunctionId> copied_;
};

Copying::Copying(const Unit& unit)
    : given_(unit),
      takes_(unit.functions.size()),
      takes_members_(unit.functions.size()),
      copies_of_(unit.functions.size(), 0) {
    for (FunctionId id = 0; id < unit.functions.size(); ++id)
        by_symbol_.emplace(unit.functions[id].symbol, id);
    find_takers();
    if (unit.tables.empty()) return;
    takes_objects_ = object_callers(unit, by_symbol_);
    for (FunctionId id = 0; id < unit.functions.size(); ++id)
        takes_objects_[id] = takes_objects_[id] && may_be_copied(id);
    for (const VirtualTable& table : unit.tables)
        tables_.emplace(table.name, &table);
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        for (const StringId slot : unit.functions[id].overrides)
            by_slot_[slot].push_back(id);
    }
}

std::optional<FunctionId> Copying::callee_of(const Step& step) const {
    const bool is_named =
        step.kind == StepKind::Call || (step.kind == StepKind::StartThread && !step.is_by_type);
    if (!is_named || step.is_virtual) return std::nullopt;
    const auto found = by_symbol_.find(step.name);
    if (found == by_symbol_.end()) return std::nullopt;
    return found->second;
}

/// Variables of the function by which threads hand on the turn are known by its name.
bool Copying::owns_turns(const Function& function) const {
    return std::ranges::any_of(function.steps, [&](const Step& step) {
        return step.turn != Turn::No && step.name == function.symbol;
    });
}

bool Copying::may_be_copied(FunctionId id) const {
    const Function& function = given_.functions[id];
    return function.steps.size() <= kMostSteps && !owns_turns(function);
}

bool Copying::note_taken(FunctionId id, const Value& value) {
    if (!is_whole_parameter(value) || value.number < 0 || !may_be_copied(id)) return false;
    const auto position = static_cast<std::size_t>(value.number);
    if (takes_[id].size() <= position) takes_[id].resize(position + 1, false);
    if (takes_[id][position]) return false;
    return takes_[id][position] = any_takes_ = true;
}

bool Copying::note_taken_member(FunctionId id, std::int64_t member) {
    if (!may_be_copied(id) || !takes_members_[id].insert(member).second) return false;
    return any_takes_ = true;
}

/// As member_number(); 0: it is none.
std::int64_t Copying::called_member(const Value& callee) const {
    const bool is_member =
        callee.kind == Value::Kind::Parameter && callee.name != 0 && callee.number == 0;
    return is_member ? member_number(given_.strings[callee.name]) : 0;
}

/// Of what the function calls, or hands on to another one that calls it.
bool Copying::note_taken(FunctionId id, const Step& step) {
    bool is_new = note_taken(id, step.callee);
    if (const std::int64_t member = called_member(step.callee); member != 0)
        is_new = note_taken_member(id, member) || is_new;
    const auto callee = step.kind == StepKind::Call ? callee_of(step) : std::nullopt;
    if (!callee) return is_new;
    if (hands_on_first(step)) {
        const std::set<std::int64_t> members = takes_members_[*callee];
        for (const std::int64_t member : members)
            is_new = note_taken_member(id, member) || is_new;
    }
    const std::size_t count = std::min(step.arguments.size(), takes_[*callee].size());
    for (std::size_t i = 0; i < count; ++i) {
        if (takes_[*callee][i]) is_new = note_taken(id, step.arguments[i]) || is_new;
    }
    return is_new;
}

void Copying::find_takers() {
    for (bool changed = true; changed;) {
        changed = false;
        for (FunctionId id = 0; id < given_.functions.size(); ++id) {
            for (const Step& step : given_.functions[id].steps)
                changed = note_taken(id, step) || changed;
        }
        if (!any_takes_) return;
    }
}

Handed Copying::handed_by(FunctionId callee, const Step& call) const {
    Handed handed;
    if (tables_.contains(call.object_class) && takes_objects_[callee])
        handed.object_class = call.object_class;
    for (const Value& argument : call.arguments) {
        if (is_member_function(argument) && takes_members_[callee].contains(argument.number))
            handed.members.push_back(argument);
    }
    if (call.kind != StepKind::Call) return handed;
    const std::vector<bool>& takes = takes_[callee];
    for (std::size_t i = 0; i < std::min(takes.size(), call.arguments.size()); ++i) {
        if (!takes[i] || call.arguments[i].kind != Value::Kind::Function ||
            is_member_function(call.arguments[i]))
            continue;
        handed.functions.resize(i + 1);
        handed.functions[i] = call.arguments[i];
    }
    return handed;
}

void Copying::bind_calls(FunctionId id) {
    for (StepId step = 0; step < unit_.functions[id].steps.size(); ++step) {
        Step& call = unit_.functions[id].steps[step];
        if (call.kind == StepKind::StartThread && tables_.contains(call.object_class))
            bind_virtual(call, call.object_class);
        bind_call(id, step);
    }
}

/// A call that hands something over is for a copy of what it calls.
void Copying::bind_call(FunctionId id, StepId step) {
    const Step& call = unit_.functions[id].steps[step];
    const auto callee = callee_of(call);
    if (!callee) return;
    const Handed handed = handed_by(*callee, call);
    const auto copy = handed.is_any() ? copy_for(*callee, handed) : std::nullopt;
    if (!copy) return;
    Step& bound = unit_.functions[id].steps[step];
    bound.name = unit_.functions[*copy].symbol;
    if (!handed.functions.empty()) bound.callbacks.clear();
}

std::optional<FunctionId> Copying::copy_for(FunctionId callee, const Handed& handed) {
    std::vector<StringId> names;
    for (const Value& value : handed.functions)
        names.push_back(value.name);
    for (const Value& value : handed.members) {
        names.push_back(unit_.strings.intern(std::to_string(value.number)));
        names.push_back(value.name);
    }
    names.push_back(handed.object_class);
    const auto known = copies_.find({callee, names});
    if (known != copies_.end()) return known->second;
    if (copied_.size() == kMostCopies || copies_of_[callee] == kMostCopiesOfOne)
        return std::nullopt;
    Function copy = given_.functions[callee];
    std::string symbol = given_.strings[copy.symbol];
    for (const StringId name : names)
        symbol += '[' + unit_.strings[name] + ']';
    if (copy.name == 0) copy.name = copy.symbol;
    copy.symbol = unit_.strings.intern(symbol);
    copy.is_local = true;
    copy.address_taken = copy.runs_at_start = false;
    copy.type = 0;
    copy.overrides.clear();
    bind(copy, handed);
    const auto id = static_cast<FunctionId>(unit_.functions.size());
    unit_.functions.push_back(std::move(copy));
    copied_.push_back(callee);
    ++copies_of_[callee];
    copies_.emplace(std::pair(callee, std::move(names)), id);
    return id;
}

void Copying::bind(Function& copy, const Handed& handed) const {
    const auto handed_for = [&](const Value& value) -> const Value* {
        if (!is_whole_parameter(value) || value.number < 0 ||
            static_cast<std::size_t>(value.number) >= handed.functions.size())
            return nullptr;
        const Value& found = handed.functions[static_cast<std::size_t>(value.number)];
        return found.kind == Value::Kind::Function ? &found : nullptr;
    };
    for (Step& step : copy.steps) {
        if (hands_on_first(step)) {
            step.arguments.insert(
                step.arguments.end(), handed.members.begin(), handed.members.end());
        }
        for (Value& argument : step.arguments) {
            if (const Value* function = handed_for(argument)) argument = *function;
        }
        if (const Value* function = handed_for(step.callee)) bind_callee(step, *function);
        bind_member(step, handed.members);
        if (handed.object_class == 0) continue;
        if (calls_own_virtual(step)) bind_virtual(step, handed.object_class);
        if (hands_on_object(step)) step.object_class = handed.object_class;
    }
}

/// Of a call by a member of what comes first.
void Copying::bind_member(Step& step, const std::vector<Value>& members) const {
    const std::int64_t called = called_member(step.callee);
    const auto member = std::ranges::find(members, called, &Value::number);
    if (called == 0 || member == members.end()) return;
    Value function;
    function.kind = Value::Kind::Function;
    function.name = member->name;
    function.number = member->name == 0 ? kIdleFunction : 0;
    bind_callee(step, function);
}

/// The functions that the call of a slot may mean where the object is of a class, or one derived
/// from it; 0: one that nothing has to be said of. Nothing: not known.
std::optional<std::vector<StringId>> Copying::meant_by(StringId slot, StringId object_class) const {
    const std::string& name = unit_.strings[slot];
    const std::size_t colons = name.rfind("::");
    const std::vector<StringId>& slots = tables_.at(object_class)->slots;
    std::size_t number = 0;
    if (colons == std::string::npos) return std::nullopt;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + colons + 2, end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number >= slots.size())
        return std::nullopt;
    std::vector<StringId> meant{slots[number]};
    const StringId own = unit_.strings.find(unit_.strings[object_class] + name.substr(colons));
    const auto derived = by_slot_.find(own);
    if (own == Strings::kNoString || derived == by_slot_.end()) return meant;
    for (const FunctionId id : derived->second) {
        const StringId symbol = given_.functions[id].symbol;
        if (std::ranges::find(meant, symbol) == meant.end()) meant.push_back(symbol);
    }
    return meant;
}

/// If it can only be one. A function of no unit does nothing.
void Copying::bind_virtual(Step& step, StringId object_class) const {
    const bool is_start = step.kind == StepKind::StartThread;
    if (is_start && (!step.is_by_type || step.callee.kind != Value::Kind::Function)) return;
    const auto meant = meant_by(is_start ? step.callee.name : step.name, object_class);
    if (!meant || meant->size() != 1) return;
    const auto function = by_symbol_.find(meant->front());
    const bool is_known = meant->front() != 0 && function != by_symbol_.end();
    // Other bases have other slots.
    if (is_known && !is_start &&
        std::ranges::find(given_.functions[function->second].overrides, step.name) ==
            given_.functions[function->second].overrides.end())
        return;
    Value handed;
    handed.name = meant->front();
    handed.number = is_known ? 0 : kIdleFunction;
    step.is_virtual = false;
    bind_callee(step, handed);
}

void Copying::bind_callee(Step& step, const Value& function) const {
    const bool is_idle = this->is_idle(function);
    step.callee = {};
    if (step.kind == StepKind::StartThread) {
        step.name = is_idle ? 0 : function.name;
        step.is_by_type = is_idle;
        return;
    }
    step.kind = is_idle ? StepKind::Join : StepKind::Call;
    step.name = is_idle ? 0 : function.name;
    if (is_idle) step.arguments.clear();
}

/// Whether nothing has to be said of it.
bool Copying::is_idle(const Value& function) const {
    if (function.number == kIdleFunction) return true;
    if (by_symbol_.contains(function.name)) return false;
    const std::string& symbol = unit_.strings[function.name];
    return is_harmless(symbol) ||
           std::binary_search(given_.idle.begin(), given_.idle.end(), idle_hash(symbol));
}

bool Copying::hands_over(const Function& function) const {
    return std::ranges::any_of(function.steps, [this](const Step& step) {
        const bool starts_virtual = step.kind == StepKind::StartThread && step.is_by_type &&
                                    tables_.contains(step.object_class);
        const auto callee = callee_of(step);
        return starts_virtual || (callee && handed_by(*callee, step).is_any());
    });
}

std::optional<HandedFunctions> Copying::run() {
    const auto any = [this](const Function& function) { return hands_over(function); };
    if (std::ranges::none_of(given_.functions, any)) return std::nullopt;
    unit_ = given_;
    for (FunctionId id = 0; id < unit_.functions.size(); ++id)
        bind_calls(id);
    HandedFunctions result;
    result.first_copy = static_cast<FunctionId>(given_.functions.size());
    result.copied = std::move(copied_);
    result.unit = std::move(unit_);
    return result;
}

class Folding {
public:
    Folding(const HandedFunctions& handed, Assessment& assessment)
        : handed_(handed), assessment_(assessment) {}

    void run() {
        fold_sites();
        fold_diagnostics();
        for (std::vector<Checks::Point>* points :
             {&assessment_.checks.words, &assessment_.checks.concurrent})
            fold_points(*points);
    }

private:
    FunctionId original(FunctionId id) const {
        return id < handed_.first_copy ? id : handed_.copied[id - handed_.first_copy];
    }
    void fold_sites();
    void fold_diagnostics();
    void fold_points(std::vector<Checks::Point>& points) const;

    const HandedFunctions& handed_;
    Assessment& assessment_;
};

/// Those of copies come behind all others.
void Folding::fold_sites() {
    std::map<std::pair<FunctionId, StepId>, std::size_t> at;
    std::vector<Site>& sites = assessment_.sites;
    std::size_t kept = 0;
    for (const Site& site : sites) {
        if (site.function < handed_.first_copy) {
            at[{site.function, site.step}] = kept++;
            continue;
        }
        Site& into = sites[at.at({original(site.function), site.step})];
        if (into.states == 0 || site.required > into.required) into.word = site.word;
        into.required = std::max(into.required, site.required);
        into.states |= site.states;
        into.perhaps = into.perhaps || site.perhaps;
    }
    sites.resize(kept);
}

void Folding::fold_diagnostics() {
    std::vector<Diagnostic>& all = assessment_.diagnostics;
    const auto key = [](const Diagnostic& each) {
        return std::tie(
            each.rule, each.place.file, each.place.line, each.place.column, each.message);
    };
    std::vector<Diagnostic> kept;
    for (Diagnostic& diagnostic : all) {
        for (auto& [function, step] : diagnostic.steps)
            function = original(function);
        const bool is_known = std::ranges::any_of(
            kept, [&](const Diagnostic& each) { return key(each) == key(diagnostic); });
        if (!is_known) kept.push_back(std::move(diagnostic));
    }
    all = std::move(kept);
}

void Folding::fold_points(std::vector<Checks::Point>& points) const {
    std::vector<Checks::Point> kept;
    for (Checks::Point point : points) {
        point.function = original(point.function);
        if (std::ranges::find(kept, point) == kept.end()) kept.push_back(point);
    }
    points = std::move(kept);
}

}  // namespace

std::optional<HandedFunctions> with_handed_functions(const Unit& unit) {
    return Copying(unit).run();
}

void fold_copies(const HandedFunctions& handed, Assessment& assessment) {
    Folding(handed, assessment).run();
}

}  // namespace mqinspect::thread_level

#include "thread_level/analysis/handed_functions.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "thread_level/analysis/externals.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// Beyond that many, calls of the rest are taken to mean any function of the type.
constexpr std::size_t kMostCopies = 4096;
constexpr std::size_t kMostCopiesOfOne = 64;
/// Of steps in one.
constexpr std::size_t kMostSteps = 2000;

/// By position: the functions that a call hands over. Unknown: nothing that is known.
using Handed = std::vector<Value>;

class Copying {
public:
    explicit Copying(const Unit& unit);

    std::optional<HandedFunctions> run();

private:
    void find_takers();
    bool note_taken(FunctionId id, const Value& value);
    bool note_taken(FunctionId id, const Step& step);
    bool owns_turns(const Function& function) const;
    bool may_be_copied(FunctionId id) const;
    std::optional<FunctionId> callee_of(const Step& step) const;
    Handed handed_by(FunctionId callee, const Step& call) const;
    void bind_calls(FunctionId id);
    std::optional<FunctionId> copy_for(FunctionId callee, const Handed& handed);
    void bind(Function& copy, const Handed& handed) const;
    void bind_callee(Step& step, const Value& function) const;
    bool is_idle(const Value& function) const;

    const Unit& given_;
    Unit unit_;  // given_ once there is a copy
    std::unordered_map<StringId, FunctionId> by_symbol_;
    std::vector<std::vector<bool>> takes_;  // by function of the given unit and position
    bool any_takes_ = false;
    std::map<std::pair<FunctionId, std::vector<StringId>>, FunctionId> copies_;
    std::vector<std::size_t> copies_of_;  // by function
    std::vector<FunctionId> copied_;
};

Copying::Copying(const Unit& unit)
    : given_(unit), takes_(unit.functions.size()), copies_of_(unit.functions.size(), 0) {
    for (FunctionId id = 0; id < unit.functions.size(); ++id)
        by_symbol_.emplace(unit.functions[id].symbol, id);
    find_takers();
}

std::optional<FunctionId> Copying::callee_of(const Step& step) const {
    if (step.kind != StepKind::Call) return std::nullopt;
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

/// Of what the function calls, or hands on to another one that calls it.
bool Copying::note_taken(FunctionId id, const Step& step) {
    bool is_new = note_taken(id, step.callee);
    const auto callee = callee_of(step);
    if (!callee) return is_new;
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
    const std::vector<bool>& takes = takes_[callee];
    for (std::size_t i = 0; i < std::min(takes.size(), call.arguments.size()); ++i) {
        if (!takes[i] || call.arguments[i].kind != Value::Kind::Function) continue;
        handed.resize(i + 1);
        handed[i] = call.arguments[i];
    }
    return handed;
}

/// Calls that hand over a function are for copies of what they call.
void Copying::bind_calls(FunctionId id) {
    for (StepId step = 0; step < unit_.functions[id].steps.size(); ++step) {
        const Step& call = unit_.functions[id].steps[step];
        const auto callee = callee_of(call);
        if (!callee) continue;
        const Handed handed = handed_by(*callee, call);
        const auto copy = handed.empty() ? std::nullopt : copy_for(*callee, handed);
        if (!copy) continue;
        Step& bound = unit_.functions[id].steps[step];
        bound.name = unit_.functions[*copy].symbol;
        bound.callbacks.clear();
    }
}

std::optional<FunctionId> Copying::copy_for(FunctionId callee, const Handed& handed) {
    std::vector<StringId> names;
    for (const Value& value : handed)
        names.push_back(value.name);
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
            static_cast<std::size_t>(value.number) >= handed.size())
            return nullptr;
        const Value& found = handed[static_cast<std::size_t>(value.number)];
        return found.kind == Value::Kind::Function ? &found : nullptr;
    };
    for (Step& step : copy.steps) {
        for (Value& argument : step.arguments) {
            if (const Value* function = handed_for(argument)) argument = *function;
        }
        if (const Value* function = handed_for(step.callee)) bind_callee(step, *function);
    }
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

std::optional<HandedFunctions> Copying::run() {
    const auto hands_over = [this](const Function& function) {
        return std::ranges::any_of(function.steps, [this](const Step& step) {
            const auto callee = callee_of(step);
            return callee && !handed_by(*callee, step).empty();
        });
    };
    if (!any_takes_ || std::ranges::none_of(given_.functions, hands_over)) return std::nullopt;
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

#include "thread_level/facts/join.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

/// What a flag says of the provided level. What it is at first is none of the writes to it.
void add_levels(const Variable& unit, Variable& sum) {
    const auto is_written = [](const Variable& each) {
        return each.creations != 0 || each.other_writes != 0 || is_level_flag(each);
    };
    if (!is_written(unit)) return;
    const bool are_both = is_written(sum);
    sum.level_if_true =
        are_both ? level_of_both(sum.level_if_true, unit.level_if_true) : unit.level_if_true;
    sum.level_if_false =
        are_both ? level_of_both(sum.level_if_false, unit.level_if_false) : unit.level_if_false;
}

using StringSet = std::unordered_set<StringId>;

using Hashes = std::vector<std::uint32_t>;

void append(const Hashes& more, Hashes& all) {
    all.insert(all.end(), more.begin(), more.end());
}

template <class Item>
void sort_once(std::vector<Item>& all) {
    std::sort(all.begin(), all.end());
    const auto repeated = std::unique(all.begin(), all.end());
    all.erase(repeated, all.end());
}

class Joiner {
public:
    explicit Joiner(const std::vector<Unit>& units) : units_(units) {}
    Unit join() &&;

private:
    void find_shared_locals();
    void begin(const Unit& unit);
    void add(Function function);
    void add(const Variable& variable);
    void add(const VirtualTable& table);
    void mark_taken();

    StringId common(StringId id);
    StringId symbol(StringId id);
    StringId part(StringId id);
    StringId of_function(StringId id);
    void translate(Place& place) { place.file = common(place.file); }
    void translate(Value& value);
    void translate(Function& function);
    void resolve(Value& value);
    void bind(Step& step) const;

    const std::vector<Unit>& units_;
    Unit whole_;
    std::unordered_map<StringId, FunctionId> functions_;   // by symbol
    std::unordered_map<StringId, std::size_t> variables_;  // by name
    std::unordered_map<StringId, std::size_t> tables_;     // by name
    std::unordered_set<std::string> sources_, shared_locals_;
    // Of the unit at hand:
    const Unit* unit_ = nullptr;
    std::string prefix_;
    std::vector<StringId> common_;  // by its own number
    StringSet local_symbols_;
};

// Names of functions' variables are unique within a unit only.
void Joiner::find_shared_locals() {
    std::unordered_map<std::string, const Unit*> owners;
    for (const Unit& unit : units_) {
        for (const Function& function : unit.functions) {
            for_each_value(function, [&](const Value& value) {
                if (value.kind != Value::Kind::Local) return;
                const std::string& name = unit.strings[value.name];
                const auto [owner, is_new] = owners.emplace(name, &unit);
                if (!is_new && owner->second != &unit) shared_locals_.insert(name);
            });
        }
    }
}

void Joiner::begin(const Unit& unit) {
    unit_ = &unit;
    common_.assign(unit.strings.size(), Strings::kNoString);
    std::string source = unit.strings[unit.source];
    if (source.empty()) source = "?";
    prefix_ = source;
    // One file may be compiled several times, or two folders have files of one name.
    for (int copy = 2; !sources_.insert(prefix_).second; ++copy)
        prefix_ = source + "#" + std::to_string(copy);
    prefix_ += ':';
    local_symbols_.clear();
    for (const Function& function : unit.functions)
        if (function.is_local) local_symbols_.insert(function.symbol);
    for (const Variable& variable : unit.variables)
        if (variable.is_local) local_symbols_.insert(variable.name);
    whole_.openmp = whole_.openmp || unit.openmp;
}

StringId Joiner::common(StringId id) {
    StringId& known = common_[id];
    if (known == Strings::kNoString) known = whole_.strings.intern(unit_->strings[id]);
    return known;
}

StringId Joiner::symbol(StringId id) {
    if (!local_symbols_.contains(id)) return common(id);
    return whole_.strings.intern(prefix_ + unit_->strings[id]);
}

/// The same, of a variable or of a part of it, "variable.field" or "variable.0".
StringId Joiner::part(StringId id) {
    const std::string& name = unit_->strings[id];
    for (std::size_t end = name.size(); end != std::string::npos && end != 0;
         end = name.rfind('.', end - 1)) {
        const StringId variable = unit_->strings.find(std::string_view(name).substr(0, end));
        if (variable != Strings::kNoString && local_symbols_.contains(variable))
            return whole_.strings.intern(prefix_ + name);
    }
    return common(id);
}

/// Of a variable as kOfFunction has it.
StringId Joiner::of_function(StringId id) {
    const std::string& name = unit_->strings[id];
    const std::size_t end = name.rfind(kOfFunction);
    if (end == std::string::npos) return common(id);
    const StringId function = unit_->strings.find(std::string_view(name).substr(0, end));
    return local_symbols_.contains(function) ? whole_.strings.intern(prefix_ + name) : common(id);
}

void Joiner::translate(Value& value) {
    if (value.kind == Value::Kind::ThreadNumber || value.kind == Value::Kind::Function) {
        value.name = symbol(value.name);
    } else if (value.kind == Value::Kind::Global && value.is_shared) {
        value.name = of_function(value.name);
    } else if (value.kind == Value::Kind::Global || value.kind == Value::Kind::Element) {
        value.name = part(value.name);
    } else if (value.kind == Value::Kind::Local &&
               shared_locals_.contains(unit_->strings[value.name])) {
        value.name = whole_.strings.intern(prefix_ + unit_->strings[value.name]);
    } else {
        value.name = common(value.name);
    }
}

void Joiner::translate(Function& function) {
    function.symbol = symbol(function.symbol);
    function.name = common(function.name);
    function.type = common(function.type);
    translate(function.place);
    for (StringId& slot : function.overrides)
        slot = common(slot);
    for (Region& region : function.regions) {
        translate(region.place);
        region.name = common(region.name);
        region.wrapper = symbol(region.wrapper);
    }
    for (Step& step : function.steps) {
        translate(step.place);
        const bool is_symbol = step.kind == StepKind::Call || step.kind == StepKind::StartThread ||
                               step.kind == StepKind::JoinThread || step.turn != Turn::No;
        step.name = is_symbol ? symbol(step.name) : common(step.name);
        step.object_class = common(step.object_class);
        for (StringId& callback : step.callbacks)
            callback = symbol(callback);
    }
    for_each_value(function, [this](Value& value) { translate(value); });
}

// As a linker: what can't be merged goes before what can, then the first one.
void Joiner::add(Function function) {
    translate(function);
    const auto number = static_cast<FunctionId>(whole_.functions.size());
    const auto [known, is_new] = functions_.emplace(function.symbol, number);
    if (is_new) {
        whole_.functions.push_back(std::move(function));
        return;
    }
    Function& first = whole_.functions[known->second];
    const bool address_taken = first.address_taken || function.address_taken;
    const StringId type = first.type != 0 ? first.type : function.type;
    if (first.is_mergeable && !function.is_mergeable) first = std::move(function);
    first.address_taken = address_taken;
    if (first.type == 0) first.type = type;
}

/// What one unit knows to do nothing, another one may only know the name of. Classes of unnamed
/// namespaces may be others of the same name: then nothing is known of them.
void Joiner::add(const VirtualTable& table) {
    VirtualTable translated{.name = common(table.name), .slots = table.slots};
    for (StringId& slot : translated.slots)
        slot = symbol(slot);
    const auto [known, is_new] = tables_.emplace(translated.name, whole_.tables.size());
    if (is_new) {
        whole_.tables.push_back(std::move(translated));
        return;
    }
    std::vector<StringId>& slots = whole_.tables[known->second].slots;
    const bool is_unnamed =
        whole_.strings[translated.name].find("_GLOBAL__N_") != std::string::npos;
    if (is_unnamed || slots.size() != translated.slots.size()) slots.clear();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (translated.slots[i] == 0) slots[i] = 0;
    }
}

/// Who takes the address need not be who has the function.
void Joiner::mark_taken() {
    std::erase_if(whole_.taken, [this](StringId symbol) {
        const auto function = functions_.find(symbol);
        if (function == functions_.end()) return false;
        whole_.functions[function->second].address_taken = true;
        return true;
    });
    sort_once(whole_.taken);
}

void Joiner::add(const Variable& variable) {
    Variable translated = variable;
    translated.name = symbol(variable.name);
    const auto [known, is_new] = variables_.emplace(translated.name, whole_.variables.size());
    if (is_new) {
        whole_.variables.push_back(translated);
        return;
    }
    Variable& sum = whole_.variables[known->second];
    const auto writes = [](const Variable& each) {
        return each.has_constant || each.creations != 0 || each.other_writes != 0;
    };
    if (!writes(sum)) {
        sum.has_constant = translated.has_constant;
        sum.constant = translated.constant;
    } else if (writes(translated)) {
        sum.has_constant =
            sum.has_constant && translated.has_constant && sum.constant == translated.constant;
        if (!sum.has_constant) sum.constant = 0;
    }
    add_levels(translated, sum);
    sum.holds_provided = sum.holds_provided || translated.holds_provided;
    sum.changes_in_team = sum.changes_in_team || translated.changes_in_team;
    sum.creations += translated.creations;
    sum.other_writes += translated.other_writes;
}

/// What functions of other units return that `value` names.
void Joiner::resolve(Value& value) {
    if (value.kind != Value::Kind::Element) return;
    const std::string& name = whole_.strings[value.name];
    const std::size_t end = name.find(kResult);
    if (end == std::string::npos) return;
    const auto function = functions_.find(whole_.strings.find(name.substr(0, end)));
    if (function == functions_.end()) return;
    const Value& result = whole_.functions[function->second].result;
    if (result.kind != Value::Kind::Global) return;
    const std::string member = name.substr(end + kResult.size());
    value = result;
    if (!member.empty()) value.name = whole_.strings.intern(whole_.strings[result.name] + member);
}

/// A program may define functions of MPI, which then call the library's.
void Joiner::bind(Step& step) const {
    if (step.kind != StepKind::Mpi || step.is_library || !functions_.contains(step.name)) return;
    step.kind = StepKind::Call;
    step.mpi = {};
    step.is_checked = false;
}

Unit Joiner::join() && {
    find_shared_locals();
    for (const Unit& unit : units_) {
        begin(unit);
        for (const Function& function : unit.functions)
            add(function);
        for (const Variable& variable : unit.variables)
            add(variable);
        for (const VirtualTable& table : unit.tables)
            add(table);
        for (const SignatureCast& cast : unit.casts)
            whole_.casts.push_back({.to = common(cast.to), .from = common(cast.from)});
        for (const PointedFunction& each : unit.pointed) {
            whole_.pointed.push_back({.pointer = symbol(each.pointer),
                                      .function = symbol(each.function),
                                      .is_shared = each.is_shared});
        }
        append(unit.idle, whole_.idle);
        for (const StringId taken : unit.taken)
            whole_.taken.push_back(symbol(taken));
        for (const StringId member : unit.numbers)
            whole_.numbers.push_back(common(member));
        append(unit.other_numbers, whole_.other_numbers);
        whole_.writers.insert(whole_.writers.end(), unit.writers.begin(), unit.writers.end());
    }
    mark_taken();
    for (Function& function : whole_.functions) {
        for_each_value(function, [this](Value& value) { resolve(value); });
        for (Step& step : function.steps)
            bind(step);
    }
    sort_once(whole_.idle);
    sort_once(whole_.numbers);
    sort_once(whole_.other_numbers);
    sort_once(whole_.writers);
    sort_once(whole_.casts);
    sort_once(whole_.pointed);
    return std::move(whole_);
}

}  // namespace

Unit join(const std::vector<Unit>& units) {
    return Joiner(units).join();
}

}  // namespace mqinspect::thread_level

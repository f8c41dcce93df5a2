// What calls through pointers mean: Program, third part.
#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/analysis/handed_parameters.h"
#include "thread_level/analysis/program.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/signature.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {

/// Those that a pointer may have had before it was cast to one of `type`, and that.
std::vector<StringId> Program::types_cast_to(StringId type) const {
    std::vector<StringId> types = {type};
    std::unordered_set<StringId> known = {type};
    for (std::size_t i = 0; i < types.size(); ++i) {
        const auto [first, last] = casts_.equal_range(types[i]);
        for (auto cast = first; cast != last; ++cast)
            if (known.insert(cast->second).second) types.push_back(cast->second);
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
        if (is_meant) known->second.push_back(id);
    }
    return known->second;
}

/// What is handed in is found once all other calls are known.
void Program::add_dispatch(FunctionId function, StepId id, const Step& step) {
    if (is_whole_parameter(step.callee)) {
        by_parameter_.emplace_back(function, id);
    } else {
        add_by_type(function, id, step);
    }
}

void Program::add_by_type(FunctionId function, StepId id, const Step& step) {
    const bool is_start = step.kind == StepKind::StartThread;
    const Node to = !is_start && is_pointer_told(step.callee)
                        ? dispatch_by(step.callee.name)
                        : dispatch_to(step.name, !is_start && step.is_virtual);
    if (to == kNone) return;
    edges_.push_back(
        {.from = function, .edge = {.step = id, .to = to, .kind = kind_of_call(step)}});
}

/// The compiler takes the file with main() for the whole program.
bool Program::is_one_unit() const {
    return unit_.source != 0 && std::ranges::none_of(unit_.functions, [this](const Function& each) {
               return is_main_program(unit_.strings[each.symbol]);
           });
}

void Program::add_calls_of_handed() {
    if (by_parameter_.empty()) return;
    HandedParameters handed(unit_, functions_, is_one_unit());
    handed.find(edges_, by_parameter_, [this](FunctionId function, StepId id) {
        const std::size_t before = edges_.size();
        add_by_type(function, id, unit_.functions[function].steps[id]);
        return std::span<const OpenEdge>(edges_).subspan(before);
    });
    std::map<std::vector<FunctionId>, Node> dispatches;
    for (const auto& call : by_parameter_) {
        const std::vector<FunctionId>* called = handed.called_by(call);
        if (called == nullptr || called->empty()) continue;
        Node& node = dispatches.try_emplace(*called, Node{kNone}).first->second;
        const Node to = called->size() == 1 ? called->front() : dispatch_among(*called, node);
        const CallKind kind = kind_of_call(unit_.functions[call.first].steps[call.second]);
        edges_.push_back(
            {.from = call.first, .edge = {.step = call.second, .to = to, .kind = kind}});
    }
    std::ranges::stable_sort(edges_, {}, [](const OpenEdge& each) { return each.edge.step; });
}

Node Program::dispatch_to(StringId name, bool is_virtual) {
    const std::vector<FunctionId>& candidates = is_virtual ? by_slot_[name] : of_type(name);
    if (name == 0 || candidates.empty()) return kNone;
    if (candidates.size() == 1) return candidates.front();
    return dispatch_among(candidates,
                          is_virtual ? dispatch_by_slot_[name] : dispatch_by_type_[name]);
}

/// `node`: that of the dispatch, if there is one by now.
Node Program::dispatch_among(const std::vector<FunctionId>& candidates, Node& node) {
    if (node == kNone) {
        node = static_cast<Node>(unit_.functions.size()) + dispatches_++;
        for (const FunctionId callee : candidates)
            edges_.push_back({.from = node, .edge = {.to = callee, .kind = CallKind::Dispatch}});
    }
    return node;
}

/// One unit does not know what others write to a pointer that they have, too; the one with main()
/// is taken to do that itself.
void Program::find_pointed() {
    const bool is_alone = is_one_unit();
    for (const PointedFunction& each : unit_.pointed) {
        Pointed& pointed = pointed_[each.pointer];
        if (each.function == 0 || (each.is_shared && is_alone)) pointed.is_other = true;
        const FunctionId function =
            each.function == each.pointer ? FunctionId{kNone} : functions_[each.function];
        if (function != kNone) {
            pointed.functions.push_back(function);
        } else if (each.function != each.pointer &&
                   !handed_to(unit_.strings[each.function]).empty()) {
            pointed.sources.push_back(each.function);
        }
    }
    find_setters();
}

/// What functions are handed that write it to a pointer. Whoever has the address of such a function
/// may hand it anything.
void Program::find_setters() {
    for (auto& [pointer, pointed] : pointed_) {
        const StringId setter = unit_.strings.find(handed_to(unit_.strings[pointer]));
        if (setter == 0 || setter == Strings::kNoString) continue;
        const FunctionId function = functions_[setter];
        const bool is_here = function != kNone;
        if ((is_here && unit_.functions[function].address_taken) ||
            std::ranges::find(unit_.taken, setter) != unit_.taken.end())
            pointed.is_other = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [pointer, pointed] : pointed_) {
            for (const StringId each : pointed.sources) {
                const auto source = pointed_.find(each);
                if (source != pointed_.end()) changed = pointed.add(source->second) || changed;
            }
        }
    }
}

/// Whether there was anything new.
bool Program::Pointed::add(const Pointed& source) {
    bool is_new = source.is_other && !is_other;
    is_other = is_other || source.is_other;
    for (const FunctionId each : source.functions) {
        if (std::ranges::find(functions, each) != functions.end()) continue;
        functions.push_back(each);
        is_new = true;
    }
    return is_new;
}

/// Whether all is known that a call by the pointer may mean.
bool Program::is_pointer_told(const Value& pointer) const {
    if (pointer.kind != Value::Kind::Global && pointer.kind != Value::Kind::Element) return false;
    const auto pointed = pointed_.find(pointer.name);
    return pointed != pointed_.end() && !pointed->second.is_other;
}

Node Program::dispatch_by(StringId pointer) {
    Pointed& pointed = pointed_.at(pointer);
    if (pointed.functions.empty()) return kNone;
    if (pointed.functions.size() == 1) return pointed.functions.front();
    return dispatch_among(pointed.functions, pointed.dispatch);
}

}  // namespace mqinspect::thread_level

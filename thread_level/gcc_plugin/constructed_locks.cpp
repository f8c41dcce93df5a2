#include "thread_level/gcc_plugin/constructed_locks.h"

#include <optional>

#include "thread_level/gcc_plugin/lock_members.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostHandedOn = 8;  // of functions that hand on what they are handed

/// C++ has several names for a constructor.
std::unordered_map<StringId, StringId> aliases(Gathering& gathering) {
    std::unordered_map<StringId, StringId> originals;
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (!node->alias) continue;
        const cgraph_node* target = node->function_symbol();
        if (target != nullptr && target != node)
            originals.emplace(gathering.symbol(node->decl), gathering.symbol(target->decl));
    }
    return originals;
}

/// Whether all threads that come to the step have the same variables of the function, but for
/// those that are known to be shared.
bool is_outside_of_regions(const Function& function, RegionId region) {
    for (; region != kNone; region = function.regions[region].parent) {
        switch (function.regions[region].kind) {
            case RegionKind::Parallel:
            case RegionKind::Teams:
            case RegionKind::Task:
            case RegionKind::Taskloop:
                return false;
            default:
                break;
        }
    }
    return true;
}

}  // namespace

ConstructedLocks::ConstructedLocks(Gathering& gathering) : gathering_(gathering) {
    const std::unordered_map<StringId, StringId> originals = aliases(gathering);
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        for (const Step& step : gathering.unit.functions[id].steps) {
            if (step.kind != StepKind::Call) continue;
            const auto original = originals.find(step.name);
            calls_[original == originals.end() ? step.name : original->second].push_back(
                {id, &step});
        }
    }
}

/// Constructors aside: other units make objects of their own.
bool ConstructedLocks::has_other_callers(FunctionId function) const {
    const tree declaration = gathering_.declarations[function];
    if (DECL_CXX_CONSTRUCTOR_P(declaration)) return false;
    const Function& facts = gathering_.unit.functions[function];
    return facts.address_taken || (!facts.is_local && !facts.is_mergeable);
}

/// A function of the file that nothing calls; GCC drops those where it optimizes.
bool ConstructedLocks::is_unused(FunctionId function) const {
    const Function& facts = gathering_.unit.functions[function];
    cgraph_node* node = cgraph_node::get(gathering_.declarations[function]);
    return facts.is_local && facts.overrides.empty() && !facts.runs_at_start && node != nullptr &&
           node->callers == nullptr && !node->has_aliases_p() && !node->address_taken &&
           !DECL_PRESERVE_P(gathering_.declarations[function]);
}

Value ConstructedLocks::handed(StringId function, std::int64_t position, int depth) {
    const auto calls = calls_.find(function);
    if (calls == calls_.end() || depth == kMostHandedOn) return {};
    std::optional<Value> one;
    for (const Call& call : calls->second) {
        if (is_unused(call.caller)) continue;
        const Value each = handed_by(call, position, depth);
        if (one && *one != each) return {};
        one = each;
    }
    return one.value_or(Value{});
}

Value ConstructedLocks::handed_by(const Call& call, std::int64_t position, int depth) {
    const std::vector<Value>& arguments = call.step->arguments;
    if (static_cast<std::size_t>(position) >= arguments.size()) return {};
    const Value& value = arguments[static_cast<std::size_t>(position)];
    const auto member = gathering_.lock_members.find(value.name);
    if (value.name != 0 && member != gathering_.lock_members.end() &&
        member->second.kind == Value::Kind::Global)
        return member->second;
    switch (value.kind) {
        case Value::Kind::Global:
            return value;
        case Value::Kind::Local:
            return of_caller(call, value);
        case Value::Kind::Element:
            return value.number == 0 ? value : Value{};
        case Value::Kind::Parameter:
            break;
        default:
            return {};
    }
    if (value.name != 0) {
        Value part;
        part.kind = Value::Kind::Element;
        part.name = value.name;
        return part;
    }
    if (has_other_callers(call.caller)) return {};
    return handed(gathering_.unit.functions[call.caller].symbol, value.number, depth + 1);
}

Value ConstructedLocks::of_caller(const Call& call, const Value& local) {
    Value value;
    const bool is_one =
        local.is_shared ||
        is_outside_of_regions(gathering_.unit.functions[call.caller], call.step->region);
    const tree caller = gathering_.declarations[call.caller];
    if (!is_one) return value;
    gathering_.local_locks.emplace(local.name, caller);
    return known_to_all(gathering_, local, caller);
}

}  // namespace mqinspect::thread_level::plugin

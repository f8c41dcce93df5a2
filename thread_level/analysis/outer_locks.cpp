#include "thread_level/analysis/outer_locks.h"

#include <string>
#include <string_view>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

FunctionId function_called(std::string_view symbol, const Program& program) {
    const StringId name = program.unit().strings.find(symbol);
    return name == Strings::kNoString ? kNone : program.function(name);
}

bool is_own_outer_lock(const Exclusion& lock, Node callee, const Program& program) {
    return lock.kind == Exclusion::Kind::OuterLock && lock.function == original_of(callee, program);
}

}  // namespace

FunctionId owner_of(const Value& lock, const Program& program) {
    if (lock.kind != Value::Kind::Global || !lock.is_shared) return kNone;
    const std::string_view name = program.unit().strings[lock.name];
    const std::size_t end = name.rfind(kOfFunction);
    return end == std::string_view::npos ? kNone : function_called(name.substr(0, end), program);
}

Node original_of(Node node, const Program& program) {
    if (!program.is_function(node)) return node;
    const std::string_view symbol = program.unit().strings[program.unit().functions[node].symbol];
    if (!symbol.ends_with(']')) return node;
    const FunctionId original = function_called(symbol.substr(0, symbol.find('[')), program);
    return original == kNone ? node : original;
}

ExclusionSet own_outer_locks(ExclusionSet set,
                             Node callee,
                             const Program& program,
                             Exclusions& exclusions) {
    return kept(set, exclusions, [&](const Exclusion& lock) {
        return is_own_outer_lock(lock, callee, program);
    });
}

ExclusionSet without_own_outer_locks(ExclusionSet set,
                                     Node callee,
                                     const Program& program,
                                     Exclusions& exclusions) {
    return kept(set, exclusions, [&](const Exclusion& lock) {
        return !is_own_outer_lock(lock, callee, program);
    });
}

/// What else may execute the function has other objects, whose members may point elsewhere.
Sameness OuterLocks::sameness(const Exclusion& lock, FunctionId function, bool apart) const {
    const FunctionId owner = lock.function;
    if (original_of(function, program_) == owner)
        return apart ? Sameness::Different : Sameness::Same;
    if (apart && (entered(owner) & kInTeam) != 0) return Sameness::Different;
    return beside(owner)[function] ? Sameness::Unknown : Sameness::Same;
}

/// Who is not there is taken to call what leads to the owner, too.
const std::vector<bool>& OuterLocks::beside(FunctionId owner) const {
    std::vector<bool>& found = beside_[owner];
    if (!found.empty()) return found;
    found.assign(program_.nodes(), false);
    std::vector<Node> open;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const bool is_first = program_.is_main(id) || program_.unit().functions[id].runs_at_start;
        if (is_first) found[id] = true;
        if (is_first || contexts_.from_outside(id) != 0) open.push_back(id);
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (original_of(node, program_) == owner) continue;
        for (const CallEdge& edge : program_.calls(node)) {
            if (found[edge.to]) continue;
            found[edge.to] = true;
            open.push_back(edge.to);
        }
    }
    return found;
}

StateSet OuterLocks::entered(FunctionId owner) const {
    StateSet states = contexts_.entered(owner);
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (original_of(id, program_) == owner)
            states = static_cast<StateSet>(states | contexts_.entered(id));
    }
    return states;
}

}  // namespace mqinspect::thread_level

// Guards of the C++ library: Preparation, third part.
#include <optional>
#include <string_view>
#include <utility>

#include "thread_level/facts/strings.h"
#include "thread_level/gcc_plugin/guard_members.h"
#include "thread_level/gcc_plugin/held_class.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/own_try_locks.h"
#include "thread_level/gcc_plugin/prepared.h"
#include "thread_level/gcc_plugin/returned_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::string_view kOptional = "_ZNSt8optionalI";

/// The one that destroys a whole object.
tree destructor_of(tree class_type) {
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) == FUNCTION_DECL && DECL_CXX_DESTRUCTOR_P(member) &&
            std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))) == "__dt_comp ")
            return member;
    }
    return NULL_TREE;
}

}  // namespace

Step Preparation::make_lock_step(const LocatedCall& at, StepKind kind, std::vector<Value> locks) {
    Step step;
    step.kind = kind;
    if (locks.empty()) return step;
    step.value = locks.front();
    locks.erase(locks.begin());
    if (!locks.empty()) more_locks.emplace(at.call, std::move(locks));
    return step;
}

/// Of the arguments from `first` on: locks, and what guards of them hold.
std::vector<Value> Preparation::locks_in(const LocatedCall& at, unsigned first) {
    std::vector<Value> locks;
    for (unsigned i = first; i < gimple_call_num_args(at.call); ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        if (!POINTER_TYPE_P(TREE_TYPE(argument))) continue;
        const auto guard = lock_guards_.find(guard_at(argument));
        if (guard != lock_guards_.end()) {
            locks.insert(locks.end(), guard->second.begin(), guard->second.end());
        } else if (is_lock_type(TREE_TYPE(TREE_TYPE(argument)))) {
            locks.push_back(values_.of(argument, at.context));
        }
    }
    return locks;
}

/// The guard that an address is of: a variable, or, of one on the heap, what its address has been
/// put in first.
tree Preparation::guard_at(tree address) {
    return TREE_CODE(address) == ADDR_EXPR ? base_variable(TREE_OPERAND(address, 0))
                                           : values_.copied_address(address);
}

/// The locks of std::lock_guard and its kin: of the constructor's arguments, which are remembered
/// for the other members.
std::vector<Value> Preparation::guarded_locks(const LocatedCall& at) {
    const tree self = argument_of(at.call, 0);
    if (self == NULL_TREE) return {};
    const tree object = guard_at(self);
    std::vector<Value> locks = locks_in(at, 1);
    if (locks.empty() && !DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call))) {
        const Value lock = member_guard_lock(values_, self);
        if (lock.kind != Value::Kind::Unknown) return {lock};
    }
    if (locks.empty()) note_own_lock(at, object);
    if (object == NULL_TREE || !(DECL_P(object) || TREE_CODE(object) == SSA_NAME)) return locks;
    std::vector<Value>& held = lock_guards_[object];
    if (!locks.empty()) held = std::move(locks);
    if (held.empty() && VAR_P(object)) {
        if (const auto lock = returned_guard(values_, object)) held.push_back(*lock);
    }
    return held;
}

/// One that a function of the library returns.
Step Preparation::make_guard(const LocatedCall& at) {
    std::vector<Value> locks = locks_in(at, 0);
    const tree result = gimple_call_lhs(at.call);
    if (result != NULL_TREE) lock_guards_[base_variable(result)] = locks;
    return make_lock_step(at, StepKind::Acquire, std::move(locks));
}

/// A guard whose lock is of a class of the program does what `own_method` of that does; where it
/// has the lock, if the guard asks.
Step Preparation::make_guard_step(const LocatedCall& at,
                                  StepKind kind,
                                  std::string_view own_method) {
    std::vector<Value> locks = guarded_locks(at);
    const tree self = argument_of(at.call, 0);
    const auto own = self == NULL_TREE ? own_locks_.end() : own_locks_.find(guard_at(self));
    if (!locks.empty() || own == own_locks_.end())
        return make_lock_step(at, kind, std::move(locks));
    Step step;
    const tree method = method_of(own->second.type, own_method);
    if (method == NULL_TREE) return make_lock_step(at, kind, {});
    step.kind = StepKind::Call;
    step.name = gathering_.symbol(method);
    if (at.callee->kind == CalleeKind::GuardHolds) {
        step.name = gathering_.intern(name_of_try(gathering_.unit.strings[step.name], false));
        gathering_.asked_tries.insert(step.name);
    }
    step.arguments.push_back(own->second.object);
    return step;
}

/// Of a constructor: the first argument that has a member lock().
void Preparation::note_own_lock(const LocatedCall& at, tree guard) {
    for (unsigned i = 1; i < gimple_call_num_args(at.call) && guard != NULL_TREE; ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        const tree type = TREE_TYPE(argument);
        if (!POINTER_TYPE_P(type) || !RECORD_OR_UNION_TYPE_P(TREE_TYPE(type))) continue;
        const tree lock_type = TYPE_MAIN_VARIANT(TREE_TYPE(type));
        if (method_of(lock_type, "lock") == NULL_TREE) continue;
        own_locks_[guard] = {lock_type, values_.object_at(argument, at.context)};
        return;
    }
}

/// `auto holder = std::make_unique<Guard>(lock)`, `holder.emplace(lock)` of a std::optional, and
/// what that is made with in place.
void Preparation::note_held_guard(const LocatedCall& at) {
    const std::string_view symbol = gathering_.unit.strings[at.callee->symbol];
    tree holder = NULL_TREE;
    unsigned first = 0;  // of the guard's arguments
    if (symbol.starts_with("_ZSt11make_uniqueI")) {
        const tree result = gimple_call_lhs(at.call);
        if (result != NULL_TREE) holder = base_variable(result);
    } else if (symbol.starts_with(kOptional) && gimple_call_num_args(at.call) > 1) {
        const bool is_in_place = contains(symbol, "ESt10in_place_t");
        if (!is_in_place && !contains(symbol, "E7emplaceI")) return;
        holder = guard_at(gimple_call_arg(at.call, 0));
        first = is_in_place ? 2 : 1;
    }
    if (holder == NULL_TREE || !VAR_P(holder)) return;
    const auto [known, is_new] = held_guards_.try_emplace(
        holder, HeldGuard{.call = at.call, .first = first, .context = at.context});
    if (!is_new) known->second.call = nullptr;
}

/// Where a holder is done with a guard: what that does then, to the locks it was made with.
std::optional<Step> Preparation::released_guard(const LocatedCall& at) {
    const std::string_view symbol = gathering_.unit.strings[at.callee->symbol];
    const bool releases = symbol.ends_with("ED1Ev") || symbol.ends_with("ED2Ev") ||
                          contains(symbol, "E5resetE") || symbol.ends_with("EaSEDn") ||
                          symbol.ends_with("EaSESt9nullopt_t");
    const bool is_holder =
        symbol.starts_with("_ZNSt10unique_ptrI") || symbol.starts_with(kOptional);
    if (!releases || !is_holder || gimple_call_num_args(at.call) == 0) return std::nullopt;
    const auto held = held_guards_.find(guard_at(gimple_call_arg(at.call, 0)));
    if (held == held_guards_.end() || held->second.call == nullptr) return std::nullopt;
    const tree guard = held_class(DECL_CONTEXT(gimple_call_fndecl(at.call)));
    const tree destructor = guard == NULL_TREE ? NULL_TREE : destructor_of(guard);
    if (destructor == NULL_TREE) return std::nullopt;
    const bool is_trivial = DECL_ARTIFICIAL(destructor) && cgraph_node::get(destructor) == nullptr;
    if (is_trivial) return std::nullopt;
    Step step;
    step.kind = StepKind::Call;
    step.name = gathering_.symbol(destructor);
    step.arguments.emplace_back();  // the guard, which only the holder knows
    const gcall* made = held->second.call;
    for (unsigned i = held->second.first; i < gimple_call_num_args(made); ++i) {
        const tree argument = gimple_call_arg(made, i);
        step.arguments.push_back(points_to_lock(TREE_TYPE(argument))
                                     ? values_.of(argument, held->second.context)
                                     : Value{});
    }
    return step;
}

}  // namespace mqinspect::thread_level::plugin

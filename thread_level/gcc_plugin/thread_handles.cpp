#include "thread_level/gcc_plugin/thread_handles.h"

#include <algorithm>
#include <string_view>

#include "thread_level/analysis/joined_threads.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostParts = 32;  // of copies and parts that are followed

/// No variable with a thread is the same as what a future is of.
Value of_future(std::int64_t kinds) {
    Value value;
    value.kind = Value::Kind::Constant;
    value.number = kinds;
    return value;
}

bool is_iterator(tree type) {
    return RECORD_OR_UNION_TYPE_P(type) &&
           name_of_type(type).find("iterator") != std::string_view::npos;
}

/// Of pthreads and C11, that are numbers.
bool is_thread_number_type(tree type) {
    return INTEGRAL_TYPE_P(type);
}

bool is_memory(std::string_view symbol) {
    for (const std::string_view known : {"malloc", "calloc", "realloc", "_Znwm", "_Znam"}) {
        if (symbol == known) return true;
    }
    return false;
}

/// Moves a thread, or a container of such, from its second argument to its first one.
bool moves_thread(std::string_view symbol) {
    for (const std::string_view part : {"C1EOS", "C2EOS", "aSEOS"}) {
        if (symbol.find(part) != std::string_view::npos && is_of_standard_library(symbol))
            return true;
    }
    return false;
}

bool has_thread(std::string_view symbol) {
    return symbol.find("6thread") != std::string_view::npos ||
           symbol.find("7jthread") != std::string_view::npos;
}

bool is_of(tree operand, tree variable) {
    if (TREE_CODE(operand) == ADDR_EXPR) operand = TREE_OPERAND(operand, 0);
    return base_variable(operand) == variable;
}

bool is_temporary(tree operand) {
    return TREE_CODE(operand) == SSA_NAME ||
           (VAR_P(operand) && (DECL_ARTIFICIAL(operand) || DECL_NAME(operand) == NULL_TREE));
}

}  // namespace

/// Of the function that is looked at: where it puts a thread that it makes, who calls it knows.
bool ThreadHandles::is_in_library() {
    const StringId function = gathering_.symbol(current_function_decl);
    return is_of_standard_library(gathering_.unit.strings[function]);
}

Value ThreadHandles::started_by(const LocatedCall& at) {
    const std::string_view symbol = symbol_of(at.call);
    if (symbol.starts_with("_ZSt5asyncI")) return of_future(kAsyncThread);
    if (is_in_library()) return {};
    const tree first = argument_of(at.call, 0);
    if (first == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(first)) ||
        is_packaged_task(TREE_TYPE(TREE_TYPE(first))))
        return {};
    return handle_at(first, true);
}

Value ThreadHandles::joined_by(const LocatedCall& at) {
    const tree first = argument_of(at.call, 0);
    if (first == NULL_TREE) return {};
    is_start_ = false;
    if (!POINTER_TYPE_P(TREE_TYPE(first))) return value_of(value_spot(first, kMostParts));
    if (!is_future(TREE_TYPE(TREE_TYPE(first)))) return handle_at(first, false);
    const bool is_end = at.callee->kind == CalleeKind::FutureEnd;
    return of_future(is_end ? kAsyncThread : kAsyncThread | kPackagedTask);
}

Value ThreadHandles::joined_from(tree first) {
    if (POINTER_TYPE_P(TREE_TYPE(first))) return handle_at(first, false);
    is_start_ = false;
    return value_of(place(first, kMostParts));
}

Value ThreadHandles::ended_by(const LocatedCall& at) {
    const bool is_detached = std::any_of(
        source_.any_calls.begin(), source_.any_calls.end(), [this](const Located& other) {
            return symbol_of(other.statement) == "_ZNSt6thread6detachEv";
        });
    const tree object = argument_of(at.call, 0);
    if (is_detached || object == NULL_TREE) return {};
    const Value value = handle_at(object, true);
    const bool stays = value == handle_at(object, false);
    return stays && value.kind == Value::Kind::Local ? value : Value{};
}

bool ThreadHandles::is_left_empty(const LocatedCall& at) {
    const tree object = argument_of(at.call, 0);
    const bool is_destructor = symbol_of(at.call).starts_with("_ZNSt7jthreadD");
    if (!is_destructor || object == NULL_TREE || TREE_CODE(object) != ADDR_EXPR) return false;
    const tree variable = TREE_OPERAND(object, 0);
    bool is_moved = false;
    if (VAR_P(variable) && !is_global_var(variable)) moved_to(variable, is_moved);
    return is_moved;
}

Value ThreadHandles::container_of(const LocatedCall& at) {
    const tree callee = gimple_call_fndecl(at.call);
    const std::string_view symbol = symbol_of(at.call);
    if (is_in_library() || callee == NULL_TREE || TREE_CODE(TREE_TYPE(callee)) != METHOD_TYPE ||
        !is_of_standard_library(symbol) || !has_thread(symbol))
        return {};
    return handle_at(gimple_call_arg(at.call, 0), true);
}

Value ThreadHandles::handle_at(tree address, bool is_start) {
    is_start_ = is_start;
    return value_of(at_address(address, kMostParts));
}

Value ThreadHandles::value_of(Spot spot) {
    if (spot.below > 0 && is_variable(spot)) {
        const std::string& name = gathering_.unit.strings[spot.value.name];
        spot.value.name = gathering_.intern(name + ".<" + std::to_string(spot.below));
    }
    return spot.value;
}

std::string_view ThreadHandles::symbol_of(const gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE) return {};
    return gathering_.unit.strings[gathering_.symbol(callee)];
}

ThreadHandles::Spot ThreadHandles::of_parameter(int position) {
    Spot spot;
    spot.value.kind = Value::Kind::Parameter;
    spot.value.number = position;
    return spot;
}

bool ThreadHandles::is_variable(const Spot& spot) {
    return spot.value.kind == Value::Kind::Local || spot.value.kind == Value::Kind::Global;
}

ThreadHandles::Spot ThreadHandles::named(Value::Kind kind, const std::string& name) {
    Spot spot;
    spot.value.kind = kind;
    spot.value.name = gathering_.intern(name);
    return spot;
}

/// A member of one of several elements is not told from another one.
ThreadHandles::Spot ThreadHandles::with_part(Spot spot, const std::string& part) {
    spot.below = 0;
    const std::string& name = gathering_.unit.strings[spot.value.name];
    if (name.ends_with(".?")) return spot;
    spot.value.name = gathering_.intern(name + '.' + (spot.is_cut ? "?" : part));
    return spot;
}

/// Of an array.
ThreadHandles::Spot ThreadHandles::element(Spot array, std::optional<std::int64_t> index) {
    if (index && is_variable(array) && !array.is_cut)
        return with_part(array, std::to_string(*index));
    array.is_cut = true;
    return array;
}

/// What a pointer or a reference is for.
ThreadHandles::Spot ThreadHandles::at_address(tree address, int depth) {
    if (address == NULL_TREE || depth <= 0) return {};
    address = strip(address);
    if (TREE_CODE(address) == ADDR_EXPR) return place(TREE_OPERAND(address, 0), depth - 1);
    if (TREE_CODE(address) == PARM_DECL) {
        const VariableUse* use = source_.use_of(address);
        const int position = parameter_position(address);
        if (position < 0 || (use != nullptr && !use->definitions.empty())) return {};
        return of_parameter(position);
    }
    if (is_local_name(address)) return at_pointer(address, depth - 1);
    // What a pointer in memory is for is the pointer itself, where it is an array's.
    const bool is_array =
        POINTER_TYPE_P(TREE_TYPE(address)) && is_thread_number_type(TREE_TYPE(TREE_TYPE(address)));
    return is_array ? place(address, depth - 1) : Spot{};
}

/// A loop may count it up: all that sets it agrees.
ThreadHandles::Spot ThreadHandles::at_pointer(tree pointer, int depth) {
    const VariableUse* use = source_.use_of(pointer);
    if (use == nullptr || use->escapes) return {};
    const std::vector<Located> definitions = use->definitions;
    Spot result;
    for (const Located& at : definitions) {
        const bool is_step = is_gimple_assign(at.statement) &&
                             gimple_assign_rhs_code(at.statement) == POINTER_PLUS_EXPR &&
                             gimple_assign_rhs1(at.statement) == pointer;
        if (is_step) continue;
        const Spot spot = at_definition(at.statement, pointer, depth - 1);
        const bool is_first = result.value.kind == Value::Kind::Unknown;
        if (spot.value.kind == Value::Kind::Unknown || (!is_first && spot != result)) return {};
        result = spot;
    }
    result.is_cut = result.is_cut || definitions.size() > 1;
    return result;
}

ThreadHandles::Spot ThreadHandles::at_definition(gimple* definition, tree pointer, int depth) {
    if (depth <= 0) return {};
    if (is_gimple_call(definition)) {
        const std::string_view symbol = symbol_of(definition);
        if (is_memory(symbol)) {
            if (is_temporary(pointer) || (is_start_ && is_copied(pointer))) return {};
            return named(Value::Kind::Local, local_name(pointer));
        }
        const bool is_part = is_of_standard_library(symbol) && gimple_call_num_args(definition) > 0;
        return is_part ? at_address(gimple_call_arg(definition, 0), depth - 1) : Spot{};
    }
    if (!is_gimple_assign(definition)) return {};
    const tree source = gimple_assign_rhs1(definition);
    if (is_copying(definition)) {
        // The variable that has what a cast of malloc() gives.
        const bool is_cast = is_local_name(source) && is_temporary(source);
        const Located* memory = is_cast ? values_.only_definition(source) : nullptr;
        if (memory != nullptr && is_gimple_call(memory->statement) && !is_temporary(pointer) &&
            is_memory(symbol_of(memory->statement)))
            return at_definition(memory->statement, pointer, depth - 1);
        return at_address(source, depth - 1);
    }
    if (gimple_assign_rhs_code(definition) != POINTER_PLUS_EXPR) return {};
    return element(at_address(source, depth - 1), constant_index(definition));
}

ThreadHandles::Spot ThreadHandles::place(tree object, int depth) {
    if (object == NULL_TREE || depth <= 0) return {};
    object = strip(object);
    switch (TREE_CODE(object)) {
        case VAR_DECL:
            return variable_spot(object, depth - 1);
        case PARM_DECL:
            return {};
        case COMPONENT_REF:
            return member_spot(object, depth - 1);
        case ARRAY_REF: {
            const tree index = TREE_OPERAND(object, 1);
            const Spot array = place(TREE_OPERAND(object, 0), depth - 1);
            Spot spot = element(array, values_.constant(index));
            if (!is_start_ && spot.is_cut && !array.is_cut) spot.below = limit_of(index);
            if (spot.below > 0 && !starts_from(TREE_OPERAND(object, 0), spot.below)) spot.below = 0;
            return spot;
        }
        case MEM_REF: {
            Spot spot = at_address(TREE_OPERAND(object, 0), depth - 1);
            spot.is_cut = spot.is_cut || !integer_zerop(TREE_OPERAND(object, 1));
            return spot;
        }
        default:
            return {};
    }
}

ThreadHandles::Spot ThreadHandles::variable_spot(tree variable, int depth) {
    if (DECL_HAS_VALUE_EXPR_P(variable)) return place(DECL_VALUE_EXPR(variable), depth - 1);
    if (is_global_var(variable)) {
        if (DECL_THREAD_LOCAL_P(variable)) return {};
        return named(Value::Kind::Global, gathering_.unit.strings[gathering_.symbol(variable)]);
    }
    const VariableUse* use = source_.use_of(variable);
    if (is_iterator(TREE_TYPE(variable))) {
        const bool is_set = use != nullptr && use->definitions.size() == 1 &&
                            is_gimple_call(use->definitions.front().statement);
        return is_set ? at_definition(use->definitions.front().statement, variable, depth - 1)
                      : Spot{};
    }
    if (use != nullptr && use->escapes && is_start_) return {};
    bool is_moved = false;
    const tree target = is_start_ ? moved_to(variable, is_moved) : NULL_TREE;
    if (is_moved) return target == NULL_TREE ? Spot{} : at_address(target, depth - 1);
    if (is_temporary(variable) || (is_start_ && is_copied(variable))) return {};
    const tree source = is_start_ ? NULL_TREE : taken_from(variable);
    if (source != NULL_TREE && !is_known_as(source, variable)) return at_address(source, depth - 1);
    return named(Value::Kind::Local, local_name(variable));
}

ThreadHandles::Spot ThreadHandles::member_spot(tree reference, int depth) {
    if (is_field_of_function(reference)) return {};
    const tree base = TREE_OPERAND(reference, 0);
    Spot spot = place(base, depth - 1);
    using Kind = Value::Kind;
    if (is_variable(spot)) return with_part(spot, own_name(TREE_OPERAND(reference, 1)));
    if (base_variable(base) != NULL_TREE) return spot;
    const std::string member = member_name(reference);
    if (is_whole_parameter(spot.value)) {
        spot.value.name = gathering_.intern(member);
        return spot;
    }
    return named(Kind::Element, member);
}

/// Of a counter that one condition of the function compares with a constant: a loop goes on while
/// it is lower. 0: it is not known.
std::int64_t ThreadHandles::limit_of(tree index) {
    if (!VAR_P(index) || !is_local_name(index)) return 0;
    std::int64_t limit = 0;
    for (const Located& at : source_.conditions) {
        const tree compared = gimple_cond_lhs(at.statement);
        if (compared != index && gimple_cond_rhs(at.statement) != index) continue;
        const tree_code code = gimple_cond_code(at.statement);
        const tree bound = gimple_cond_rhs(at.statement);
        const bool is_limit = compared == index && (code == LE_EXPR || code == LT_EXPR) &&
                              tree_fits_shwi_p(bound) && limit == 0;
        if (!is_limit) return 0;
        limit = tree_to_shwi(bound) + (code == LE_EXPR ? 1 : 0);
    }
    const VariableUse* use = source_.use_of(index);
    if (limit <= 0 || use == nullptr || use->escapes || !use->handed_over.empty()) return 0;
    const bool is_counted = std::ranges::all_of(use->definitions, [&](const Located& at) {
        if (!is_gimple_assign(at.statement)) return false;
        const tree first = gimple_assign_rhs1(at.statement);
        if (gimple_assign_single_p(at.statement))
            return tree_fits_shwi_p(first) && tree_to_shwi(first) < limit;
        return gimple_assign_rhs_code(at.statement) == PLUS_EXPR && first == index &&
               integer_onep(gimple_assign_rhs2(at.statement));
    });
    return is_counted ? limit : 0;
}

/// Whether the function starts a thread in an element of the array whose index is `limit` or above.
bool ThreadHandles::starts_from(tree array, std::int64_t limit) const {
    return std::ranges::any_of(source_.calls, [&](const LocatedCall& at) {
        if (at.callee == nullptr || at.callee->kind != CalleeKind::StartThread) return false;
        const tree address = argument_of(at.call, 0);
        if (address == NULL_TREE || TREE_CODE(address) != ADDR_EXPR) return false;
        const tree element = TREE_OPERAND(address, 0);
        if (TREE_CODE(element) != ARRAY_REF ||
            operand_equal_p(TREE_OPERAND(element, 0), array, 0) == 0)
            return false;
        const auto index = values_.constant(TREE_OPERAND(element, 1));
        return index && *index >= limit;
    });
}

/// Of a thread that is a number.
ThreadHandles::Spot ThreadHandles::value_spot(tree operand, int depth) {
    if (operand == NULL_TREE || depth <= 0) return {};
    operand = strip(operand);
    if (TREE_CODE(operand) == PARM_DECL) return of_parameter(parameter_position(operand));
    if (!is_local_name(operand)) return place(operand, depth - 1);
    const VariableUse* use = source_.use_of(operand);
    std::vector<Located> sources;
    for (const Located& at : use == nullptr ? std::vector<Located>() : use->definitions) {
        const bool is_constant = gimple_assign_single_p(at.statement) &&
                                 TREE_CODE(gimple_assign_rhs1(at.statement)) == INTEGER_CST;
        if (!is_constant) sources.push_back(at);
    }
    if (sources.empty()) return place(operand, depth - 1);
    const bool is_own = use == nullptr || use->handed_over.empty();
    if (!is_own || sources.size() > 1 || !is_copying(sources.front().statement)) return {};
    return value_spot(gimple_assign_rhs1(sources.front().statement), depth - 1);
}

bool ThreadHandles::is_source_of_copy(const std::vector<tree>& copies, tree operand) const {
    if (operand == NULL_TREE || TREE_CODE(operand) == ADDR_EXPR) return false;
    return is_of(operand, copies.front()) ||
           std::find(copies.begin(), copies.end(), operand) != copies.end();
}

/// Whether the number of a thread, or where such are, comes to be known elsewhere in memory.
bool ThreadHandles::is_copied(tree variable) {
    std::vector<tree> copies = {variable};
    for (const Located& at : source_.assignments) {
        const tree left = gimple_assign_lhs(at.statement);
        if (!is_copying(at.statement) ||
            !is_source_of_copy(copies, gimple_assign_rhs1(at.statement)))
            continue;
        if (is_local_name(left)) {
            copies.push_back(left);
        } else if (base_variable(left) != variable) {
            return true;
        }
    }
    const auto is_write = [&](const gimple* statement) {
        return is_copying(statement) && is_source_of_copy(copies, gimple_assign_rhs1(statement)) &&
               base_variable(gimple_assign_lhs(statement)) != variable;
    };
    for (const auto* writes :
         {&source_.member_writes, &source_.element_writes, &source_.pointer_writes}) {
        for (const Located& at : *writes)
            if (is_write(at.statement)) return true;
    }
    for (const gimple* statement : source_.global_writes)
        if (is_write(statement)) return true;
    for (const LocatedCall& at : source_.calls) {
        const CalleeKind kind = at.callee == nullptr ? CalleeKind::Other : at.callee->kind;
        if (kind == CalleeKind::JoinThread || kind == CalleeKind::StartThread) continue;
        for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
            const tree argument = gimple_call_arg(at.call, i);
            if (!POINTER_TYPE_P(TREE_TYPE(argument)) && is_source_of_copy(copies, argument))
                return true;
        }
    }
    return std::any_of(source_.returns.begin(), source_.returns.end(), [&](gimple* statement) {
        return is_source_of_copy(copies, gimple_return_retval(as_a<greturn*>(statement)));
    });
}

/// Where a thread goes that has been started in `variable`; null: it can't be told, or nowhere.
tree ThreadHandles::moved_to(tree variable, bool& is_moved) {
    tree target = NULL_TREE;
    int targets = 0;
    std::vector<tree> addresses;
    for (const Located& at : source_.any_calls) {
        const unsigned count = gimple_call_num_args(at.statement);
        const std::string_view symbol = symbol_of(at.statement);
        const auto is_meant = [&](unsigned i) {
            const tree argument = gimple_call_arg(at.statement, i);
            return (TREE_CODE(argument) == ADDR_EXPR && is_of(argument, variable)) ||
                   std::find(addresses.begin(), addresses.end(), argument) != addresses.end();
        };
        if (count == 1 && is_std_move(symbol) && is_meant(0)) {
            addresses.push_back(gimple_call_lhs(at.statement));
            continue;
        }
        // Nothing is put into what stays as it is, such as std::ranges::for_each.
        if (!is_of_standard_library(symbol) || symbol.starts_with("_ZNK")) continue;
        for (unsigned i = 1; i < count; ++i) {
            // What a thread starts with may refer to the variable of another one.
            const bool is_argument =
                symbol.find("6threadC") != std::string_view::npos && !moves_thread(symbol);
            if (!is_meant(i) || is_argument) continue;
            is_moved = true;
            target = gimple_call_arg(at.statement, 0);
            ++targets;
        }
    }
    return targets == 1 ? target : NULL_TREE;
}

/// Whether the thread of a local variable, of which the call gets the address, or std::move(), has
/// been started as that of `variable`.
bool ThreadHandles::is_known_as(tree source, tree variable) {
    const VariableUse* use = is_local_name(source) ? source_.use_of(source) : nullptr;
    if (use != nullptr && use->definitions.size() == 1) {
        gimple* definition = use->definitions.front().statement;
        if (is_gimple_call(definition) && is_std_move(symbol_of(definition)))
            source = gimple_call_arg(definition, 0);
    }
    const tree from =
        TREE_CODE(source) == ADDR_EXPR ? base_variable(TREE_OPERAND(source, 0)) : NULL_TREE;
    if (from == NULL_TREE || !VAR_P(from) || is_global_var(from)) return false;
    bool is_moved = false;
    const tree target = moved_to(from, is_moved);
    return target != NULL_TREE && is_of(target, variable);
}

/// Where a thread comes from that is joined in `variable`, if a call has moved it there.
tree ThreadHandles::taken_from(tree variable) {
    tree source = NULL_TREE;
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr) return source;
    for (const Located& at : use->handed_over) {
        if (gimple_call_num_args(at.statement) != 2 || !moves_thread(symbol_of(at.statement)) ||
            !is_of(gimple_call_arg(at.statement, 0), variable))
            continue;
        const tree moved = gimple_call_arg(at.statement, 1);
        const tree object =
            TREE_CODE(moved) == ADDR_EXPR ? base_variable(TREE_OPERAND(moved, 0)) : NULL_TREE;
        const bool is_new = object != NULL_TREE && VAR_P(object) && is_temporary(object);
        if (!is_new) source = moved;
    }
    return source;
}

}  // namespace mqinspect::thread_level::plugin

#include "thread_level/gcc_plugin/requested_levels.h"

#include <algorithm>
#include <optional>
#include <string>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::int64_t kHighestLevel = 3;
constexpr int kMostMembers = 64;  // of one variable

bool is_level(std::int64_t number) {
    return number >= 0 && number <= kHighestLevel;
}

/// The only number that a function returns which has assigned it to `result`.
std::optional<std::int64_t> only_number(tree result, SourceWalk& source, Values& values) {
    if (const auto number = values.constant(result)) return number;
    const VariableUse* use = source.use_of(result);
    if (use == nullptr || use->escapes || !use->handed_over.empty()) return std::nullopt;
    std::optional<std::int64_t> only;
    for (const Located& at : use->definitions) {
        const auto number = gimple_assign_single_p(at.statement)
                                ? values.constant(gimple_assign_rhs1(at.statement))
                                : std::nullopt;
        if (!number || (only && *only != *number)) return std::nullopt;
        only = number;
    }
    return only;
}

/// The call that gives `operand` its value, as it is or by copies.
gimple* call_behind(tree operand, Values& values) {
    constexpr int most_copies = 6;
    for (int i = 0; i < most_copies && operand != NULL_TREE; ++i) {
        if (TREE_CODE(operand) == ADDR_EXPR && is_fortran()) operand = TREE_OPERAND(operand, 0);
        operand = strip(operand);
        if (!is_local_name(operand)) return nullptr;
        // Fortran hands it over by its address.
        const Located* definition =
            is_fortran() ? values.only_assignment(operand) : values.only_definition(operand);
        if (definition == nullptr) return nullptr;
        if (is_gimple_call(definition->statement)) return definition->statement;
        if (!is_gimple_assign(definition->statement) || !is_copying(definition->statement))
            return nullptr;
        operand = gimple_assign_rhs1(definition->statement);
    }
    return nullptr;
}

/// Whether nothing but assignments changes the local variable.
bool is_only_assigned(tree variable, SourceWalk& source, Callees& callees) {
    const VariableUse* use = is_local_name(variable) ? source.use_of(variable) : nullptr;
    return use != nullptr && !use->escapes &&
           std::ranges::all_of(use->handed_over, [&](const Located& at) {
               const tree function = gimple_call_fndecl(at.statement);
               return function != NULL_TREE &&
                      is_only_read(at.statement, callees.of(function), variable);
           });
}

/// What Fortran sets a variable to whose address it hands over, if it does so once, and calls only
/// read it; null: it is something else.
tree number_at(tree address, SourceWalk& source, Callees& callees) {
    if (!is_fortran() || address == NULL_TREE || TREE_CODE(address) != ADDR_EXPR) return NULL_TREE;
    const tree variable = TREE_OPERAND(address, 0);
    if (!is_only_assigned(variable, source, callees)) return NULL_TREE;
    const VariableUse* use = source.use_of(variable);
    if (use->definitions.size() != 1) return NULL_TREE;
    gimple* definition = use->definitions.front().statement;
    return gimple_assign_single_p(definition) ? gimple_assign_rhs1(definition) : NULL_TREE;
}

/// Of all that is assigned to a local variable, by itself or over copies, the highest level;
/// nothing if something else is, too.
std::optional<std::int64_t> highest_assigned(
    tree variable, SourceWalk& source, Callees& callees, Values& values, int most_copies) {
    if (most_copies == 0 || !is_only_assigned(variable, source, callees)) return std::nullopt;
    std::optional<std::int64_t> highest;
    for (const Located& at : source.use_of(variable)->definitions) {
        if (!gimple_assign_single_p(at.statement)) return std::nullopt;
        const tree assigned = gimple_assign_rhs1(at.statement);
        auto level = values.constant(assigned);
        if (!level) level = highest_assigned(assigned, source, callees, values, most_copies - 1);
        if (!level || !is_level(*level)) return std::nullopt;
        highest = std::max(highest.value_or(0), *level);
    }
    return highest;
}

/// What the last assignment in front of the call has set a variable to, with no branch in between.
tree last_set_before(const gimple* call, tree variable) {
    // The first of a sequence has the last one as its `prev`.
    for (gimple* at = call->prev; at->next != nullptr; at = at->prev) {
        const bool is_plain = is_gimple_assign(at) || is_gimple_call(at) || is_gimple_debug(at);
        if (!is_plain) return NULL_TREE;
        if (gimple_get_lhs(at) != variable) continue;
        return gimple_assign_single_p(at) ? gimple_assign_rhs1(at) : NULL_TREE;
    }
    return NULL_TREE;
}

/// What a chain of members is called, as values have it; empty: it is something else.
std::string name_of_members(Gathering& gathering, tree reference) {
    if (VAR_P(reference)) return gathering.unit.strings[gathering.symbol(reference)];
    if (TREE_CODE(reference) != COMPONENT_REF) return {};
    const std::string object = name_of_members(gathering, TREE_OPERAND(reference, 0));
    const tree name = DECL_NAME(TREE_OPERAND(reference, 1));
    if (object.empty() || name == NULL_TREE) return {};
    return object + '.' + IDENTIFIER_POINTER(name);
}

/// The numbers in a static variable, one by one.
class Members {
public:
    Members(Gathering& gathering,
            const GlobalUse& use,
            const std::unordered_set<StringId>& names,
            bool is_for_others)
        : gathering_(gathering), use_(use), names_(names), is_for_others_(is_for_others) {
        whole_writes_ = use.other_writes - use.member_writes + use.creations;
        // Fortran's arguments need the address; calls that may write have been counted.
        if (TREE_ADDRESSABLE(use.declaration) != 0 && !is_fortran()) ++whole_writes_;
    }

    /// That units of the program write all of it, or may.
    void add_whole(const std::string& object) {
        if (whole_writes_ == 0 || !is_for_others_) return;
        Variable variable;
        variable.name = gathering_.intern(object + std::string(kAllMembers));
        variable.other_writes = whole_writes_;
        gathering_.unit.variables.push_back(variable);
    }

    void add(const std::string& object, tree type, tree initial) {
        if (initial != NULL_TREE && TREE_CODE(initial) != CONSTRUCTOR) initial = NULL_TREE;
        for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
            if (TREE_CODE(field) != FIELD_DECL || DECL_NAME(field) == NULL_TREE) continue;
            const std::string name = object + '.' + IDENTIFIER_POINTER(DECL_NAME(field));
            const tree value = value_of(initial, field);
            if (TREE_CODE(TREE_TYPE(field)) == RECORD_TYPE) {
                add(name, TREE_TYPE(field), value);
            } else if (is_plain_int(field) && left_-- > 0) {
                add_number(name, value);
            }
        }
    }

private:
    static tree value_of(tree initial, tree member) {
        unsigned i = 0;
        tree field = NULL_TREE;
        tree value = NULL_TREE;
        if (initial == NULL_TREE) return NULL_TREE;
        FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(initial), i, field, value) {
            if (field == member) return value;
        }
        return NULL_TREE;
    }

    void add_number(const std::string& name, tree initial) {
        Variable variable;
        variable.name = gathering_.intern(name);
        const bool is_named = names_.contains(variable.name);
        if (!is_named && !is_for_others_) return;
        variable.is_local = !TREE_PUBLIC(use_.declaration);
        const auto written = gathering_.member_writes.find(variable.name);
        const bool is_written = written != gathering_.member_writes.end();
        if (is_written) variable.other_writes += written->second.count;
        const bool is_known = whole_writes_ == 0;
        if (is_known && variable.other_writes == 0 && initial != NULL_TREE &&
            tree_fits_shwi_p(initial)) {
            variable.has_constant = true;
            variable.constant = tree_to_shwi(initial);
        } else if (is_known && variable.other_writes == 1 && is_written &&
                   written->second.constant) {
            variable.has_constant = true;
            variable.constant = *written->second.constant;
        }
        const bool says_something =
            variable.has_constant ? is_level(variable.constant) : variable.other_writes != 0;
        if (is_named || says_something) gathering_.unit.variables.push_back(variable);
    }

    Gathering& gathering_;
    const GlobalUse& use_;
    const std::unordered_set<StringId>& names_;
    bool is_for_others_ = false;
    std::uint32_t whole_writes_ = 0;
    int left_ = kMostMembers;
};

}  // namespace

bool knows_levels() {
    return is_fortran() || maybe_get_identifier("MPI_Init_thread") != NULL_TREE;
}

bool is_plain_int(tree variable) {
    const tree type = TREE_TYPE(variable);
    return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == TYPE_PRECISION(integer_type_node);
}

void note_constant_result(Gathering& gathering, SourceWalk& source, Values& values) {
    const tree function = current_function_decl;
    if (!INTEGRAL_TYPE_P(TREE_TYPE(TREE_TYPE(function))) || DECL_WEAK(function)) return;
    std::optional<std::int64_t> only;
    for (gimple* statement : source.returns) {
        const tree result = gimple_return_retval(as_a<greturn*>(statement));
        const auto number =
            result == NULL_TREE ? std::nullopt : only_number(result, source, values);
        if (!number || !is_level(*number) || (only && *only != *number)) return;
        only = number;
    }
    if (only) gathering.constant_results.emplace(gathering.symbol(function), *only);
}

Value requested_level(
    tree required, const Located& init, SourceWalk& source, Callees& callees, Values& values) {
    const ContextId context = init.context;
    tree variable = required;
    if (variable != NULL_TREE && TREE_CODE(variable) == ADDR_EXPR && is_fortran())
        variable = TREE_OPERAND(variable, 0);
    if (variable != NULL_TREE && DECL_P(variable) && is_only_assigned(variable, source, callees)) {
        const tree last = last_set_before(init.statement, variable);
        if (last != NULL_TREE && values.constant(last)) return values.of(last, context);
    }
    if (const tree number = number_at(required, source, callees); number != NULL_TREE)
        return values.of(number, context);
    if (const auto highest = highest_assigned(variable, source, callees, values, 4)) {
        Value level;
        level.kind = Value::Kind::Constant;
        level.number = kChosenLevel + *highest;
        return level;
    }
    const gimple* call = required == NULL_TREE ? nullptr : call_behind(required, values);
    const tree function = call == nullptr ? NULL_TREE : gimple_call_fndecl(call);
    if (function == NULL_TREE) return values.of(required, context);
    Gathering& gathering = values.gathering();
    Value level;
    level.kind = Value::Kind::Element;
    level.name =
        gathering.intern(gathering.unit.strings[gathering.symbol(function)] + std::string(kResult));
    return level;
}

void settle_requested_levels(Gathering& gathering) {
    const Strings& strings = gathering.unit.strings;
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            Value& level = step.mpi.level;
            if (level.kind != Value::Kind::Element || !strings[level.name].ends_with(kResult))
                continue;
            std::string_view symbol = strings[level.name];
            symbol.remove_suffix(kResult.size());
            const auto result = gathering.constant_results.find(strings.find(symbol));
            level = {};
            if (result == gathering.constant_results.end()) continue;
            level.kind = Value::Kind::Constant;
            level.number = result->second;
        }
    }
}

void note_member_write(Gathering& gathering, tree variable, gimple* statement) {
    const tree left = gimple_get_lhs(statement);
    if (left == variable || !INTEGRAL_TYPE_P(TREE_TYPE(left))) return;
    const std::string name = name_of_members(gathering, left);
    if (name.empty()) return;
    ++gathering.global(variable).member_writes;
    MemberWrites& writes = gathering.member_writes[gathering.intern(name)];
    ++writes.count;
    const tree written =
        gimple_assign_single_p(statement) ? gimple_assign_rhs1(statement) : NULL_TREE;
    const bool is_number =
        written != NULL_TREE && TREE_CODE(written) == INTEGER_CST && tree_fits_shwi_p(written);
    writes.constant = is_number ? std::optional<std::int64_t>(tree_to_shwi(written)) : std::nullopt;
}

void add_members(Gathering& gathering, const std::unordered_set<StringId>& names) {
    for (const auto& [uid, use] : gathering.globals) {
        const tree variable = use.declaration;
        const tree type = TREE_TYPE(variable);
        if (TREE_CODE(type) != RECORD_TYPE || !COMPLETE_TYPE_P(type) ||
            DECL_NAME(variable) == NULL_TREE || DECL_ARTIFICIAL(variable))
            continue;
        const bool is_for_others = TREE_PUBLIC(variable) && knows_levels();
        const std::string& name = gathering.unit.strings[gathering.symbol(variable)];
        Members members(gathering, use, names, is_for_others);
        const std::string object(name);
        members.add_whole(object);
        members.add(object, type, DECL_INITIAL(variable));
    }
}

}  // namespace mqinspect::thread_level::plugin

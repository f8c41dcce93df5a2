#include "thread_level/gcc_plugin/thread_numbers.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/callables.h"
#include "thread_level/gcc_plugin/captured_objects.h"
#include "thread_level/gcc_plugin/counter_branches.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostNumberCopies = 16;  // of copies that are followed

/// Part of an array, or, without an index, a variable or what a pointer points to.
struct Place {
    tree base = NULL_TREE;
    tree index = NULL_TREE;

    bool operator==(const Place&) const = default;
};

bool is_same_index(tree one, tree other) {
    return one == NULL_TREE || other == NULL_TREE ? one == other : tree_int_cst_equal(one, other);
}

class ThreadNumbers {
public:
    ThreadNumbers(Values& values, SourceWalk& source, const gcall* start)
        : values_(values),
          source_(source),
          start_(start),
          line_(LOCATION_LINE(gimple_location(start))) {}

    Value counted(tree argument, bool is_reference);
    std::vector<Value> fixed(tree argument);
    std::vector<Value> common(tree argument);

private:
    tree converted(tree object);
    std::optional<std::int64_t> first_of(tree variable);
    std::int64_t limit_of(tree counter);
    int line_of_loop(tree counter);
    bool is_fixed(tree operand, int line, int depth);
    Value shifted(tree number, tree index);
    bool is_step_of(tree counter, gimple* statement);
    Place place_of(tree pointer, int depth = kMostNumberCopies);
    Place place_of_object(tree object, int depth);
    Place place_at(gimple* definition, tree variable, int depth);
    bool is_new(const Place& place);
    Value counted_part(const Place& started, const std::vector<Located>& writes);
    Value counted_by_constructor(const Place& started);
    std::optional<std::int64_t> number_written(const Located& at, const Place& place);
    void add_fixed(const Place& place, const Located& at, std::vector<Value>& fixed);

    Values& values_;
    SourceWalk& source_;
    const gcall* start_;
    int line_;  ///< where threads start
};

/// Whether it adds a number above 0.
bool ThreadNumbers::is_step_of(tree counter, gimple* statement) {
    if (gimple_assign_single_p(statement) && is_local_name(gimple_assign_rhs1(statement))) {
        const Located* sum = values_.only_definition(gimple_assign_rhs1(statement));
        if (sum == nullptr || !is_gimple_assign(sum->statement)) return false;
        statement = sum->statement;
    }
    if (gimple_assign_rhs_code(statement) != PLUS_EXPR) return false;
    const tree added = gimple_assign_rhs2(statement);
    return TREE_CODE(added) == INTEGER_CST && tree_int_cst_sgn(added) > 0 &&
           origin_of(values_, gimple_assign_rhs1(statement)) == counter;
}

/// Of a variable that is only counted up, by the loop that is last in front of the start: the
/// lowest number that it has there; or kUnknownFirst.
std::optional<std::int64_t> ThreadNumbers::first_of(tree variable) {
    if (variable == NULL_TREE || !VAR_P(variable) || !INTEGRAL_TYPE_P(TREE_TYPE(variable)))
        return std::nullopt;
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes) return std::nullopt;
    const std::vector<Located> definitions = use->definitions;
    bool is_counted = false;
    std::int64_t first = kUnknownFirst;
    for (const Located& at : definitions) {
        if (!is_gimple_assign(at.statement)) return std::nullopt;
        if (is_step_of(variable, at.statement)) {
            is_counted = true;
            continue;
        }
        if (LOCATION_LINE(gimple_location(at.statement)) > line_) continue;
        const auto number = gimple_assign_single_p(at.statement)
                                ? values_.constant(gimple_assign_rhs1(at.statement))
                                : std::nullopt;
        first = number && *number >= 0 ? *number : kUnknownFirst;
    }
    if (!is_counted) return std::nullopt;
    if (first == kUnknownFirst) return first;
    return first_past_branches(values_, source_, start_, variable, first);
}

/// A loop goes on while the counter is lower; 0: it is not known.
std::int64_t ThreadNumbers::limit_of(tree counter) {
    std::int64_t limit = 0;
    for (const Located& at : source_.conditions) {
        const tree left = origin_of(values_, gimple_cond_lhs(at.statement));
        const tree right = origin_of(values_, gimple_cond_rhs(at.statement));
        if (left != counter && right != counter) continue;
        const tree_code code = gimple_cond_code(at.statement);
        const bool is_limit =
            left == counter && (code == LE_EXPR || code == LT_EXPR) && tree_fits_shwi_p(right);
        if (!is_limit) return 0;
        const std::int64_t one = tree_to_shwi(right) + (code == LE_EXPR ? 1 : 0);
        if (limit != 0 && limit != one) return 0;
        limit = one;
    }
    return limit;
}

/// Where the loop begins that is last in front of the start.
int ThreadNumbers::line_of_loop(tree counter) {
    const std::vector<Located> definitions = source_.use_of(counter)->definitions;
    int line = 0;
    for (const Located& at : definitions) {
        const int here = LOCATION_LINE(gimple_location(at.statement));
        if (here <= line_ && !is_step_of(counter, at.statement)) line = std::max(line, here);
    }
    return line;
}

/// Whether it is the same in each round of a loop that begins at `line`.
bool ThreadNumbers::is_fixed(tree operand, int line, int depth) {
    operand = strip(operand);
    if (TREE_CODE(operand) == INTEGER_CST) return true;
    if (depth == 0) return false;
    if (VAR_P(operand) && is_global_var(operand)) {
        return std::ranges::none_of(source_.global_writes, [operand](const gimple* write) {
            return base_variable(gimple_get_lhs(write)) == operand;
        });
    }
    if (!is_local_name(operand)) return false;
    const VariableUse* known = source_.use_of(operand);
    if (known == nullptr) return TREE_CODE(operand) == PARM_DECL;
    const VariableUse use = *known;
    const auto is_before = [line](const Located& at) {
        return LOCATION_LINE(gimple_location(at.statement)) < line;
    };
    if (use.escapes || !std::ranges::all_of(use.handed_over, is_before)) return false;
    if (std::ranges::all_of(use.definitions, is_before)) return true;
    if (use.definitions.size() != 1) return false;
    const gimple* definition = use.definitions.front().statement;
    if (!is_gimple_assign(definition)) return false;
    for (unsigned i = 1; i < gimple_num_ops(definition); ++i)
        if (!is_fixed(gimple_op(definition, i), line, depth - 1)) return false;
    return true;
}

/// A counter, or `index` if there is one, and a number that is the same for all threads: how many
/// there are.
Value ThreadNumbers::shifted(tree number, tree index) {
    Value value;
    const Located* found = is_local_name(number) ? values_.only_definition(number) : nullptr;
    if (found == nullptr || !is_gimple_assign(found->statement) ||
        gimple_assign_rhs_code(found->statement) != PLUS_EXPR)
        return value;
    gimple* const sum = found->statement;
    for (const bool is_swapped : {false, true}) {
        const tree counter = origin_of(values_, gimple_op(sum, is_swapped ? 2 : 1));
        const auto first =
            index == NULL_TREE || counter == index ? first_of(counter) : std::nullopt;
        if (!first ||
            !is_fixed(gimple_op(sum, is_swapped ? 1 : 2), line_of_loop(counter), kMostNumberCopies))
            continue;
        const std::int64_t limit = limit_of(counter);
        value.kind = Value::Kind::Counted;
        value.created_once = true;
        value.number = *first != kUnknownFirst && limit > *first ? limit - *first : 0;
        break;
    }
    return value;
}

Place ThreadNumbers::place_of_object(tree object, int depth) {
    switch (TREE_CODE(object)) {
        case ARRAY_REF:
            return {origin_of(values_, TREE_OPERAND(object, 0)),
                    origin_of(values_, TREE_OPERAND(object, 1))};
        case MEM_REF:
            return integer_zerop(TREE_OPERAND(object, 1))
                       ? place_of(TREE_OPERAND(object, 0), depth - 1)
                       : Place{};
        case VAR_DECL:
            return {object, NULL_TREE};
        default:
            return {};
    }
}

Place ThreadNumbers::place_at(gimple* definition, tree variable, int depth) {
    if (is_index_of_container(definition)) {
        const tree container = strip(gimple_call_arg(definition, 0));
        if (TREE_CODE(container) != ADDR_EXPR) return {};
        return {TREE_OPERAND(container, 0), origin_of(values_, gimple_call_arg(definition, 1))};
    }
    if (is_gimple_call(definition)) return {variable, NULL_TREE};
    if (!is_gimple_assign(definition)) return {};
    if (gimple_assign_rhs_code(definition) == POINTER_PLUS_EXPR) {
        return {origin_of(values_, gimple_assign_rhs1(definition)),
                origin_of(values_, gimple_assign_rhs2(definition), true)};
    }
    return is_copying(definition) ? place_of(gimple_assign_rhs1(definition), depth - 1) : Place{};
}

Place ThreadNumbers::place_of(tree pointer, int depth) {
    if (pointer == NULL_TREE || depth <= 0) return {};
    pointer = strip(pointer);
    if (TREE_CODE(pointer) == ADDR_EXPR)
        return place_of_object(strip(TREE_OPERAND(pointer, 0)), depth);
    const Located* definition = is_local_name(pointer) ? values_.only_definition(pointer) : nullptr;
    return definition == nullptr ? Place{} : place_at(definition->statement, pointer, depth);
}

/// Another object each time: what a call returns, or a function object that is made for the call.
bool ThreadNumbers::is_new(const Place& place) {
    if (place.base == NULL_TREE || place.index != NULL_TREE) return false;
    return POINTER_TYPE_P(TREE_TYPE(place.base)) ||
           (VAR_P(place.base) && DECL_ARTIFICIAL(place.base));
}

/// A member that is the number of its object, or counts the objects; or an element that is its own
/// number. `writes`: to members, or to elements.
Value ThreadNumbers::counted_part(const Place& started, const std::vector<Located>& writes) {
    const bool is_part = started.index != NULL_TREE;
    const auto part = is_part ? first_of(started.index) : std::nullopt;
    if (started.base == NULL_TREE || (is_part ? !part : !is_new(started))) return {};
    for (const Located& at : writes) {
        if (!is_copying(at.statement)) continue;
        const tree member = gimple_assign_lhs(at.statement);
        const bool is_member = TREE_CODE(member) == COMPONENT_REF;
        const tree object = is_member ? TREE_OPERAND(member, 0) : member;
        const Place written = place_of_object(strip(object), kMostNumberCopies);
        const tree number = origin_of(values_, gimple_assign_rhs1(at.statement));
        if (written.base != started.base || (written.index != NULL_TREE) != is_part) continue;
        const auto first = is_part && number == written.index ? part
                           : is_part                          ? std::nullopt
                                                              : first_of(number);
        Value value;
        value.kind = Value::Kind::Counted;
        if (!first) value = shifted(number, written.index);
        if (value.kind == Value::Kind::Unknown) continue;
        if (is_member) value.name = values_.gathering().intern(member_name(member));
        if (first) value.number = *first;
        return value;
    }
    return {};
}

/// What the constructor of a new object is handed, for the unit to tell in which member that is.
Value ThreadNumbers::counted_by_constructor(const Place& started) {
    if (!is_new(started)) return {};
    for (const Located& at : source_.any_calls) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE || !DECL_CXX_CONSTRUCTOR_P(callee) ||
            gimple_call_num_args(at.statement) < 2 ||
            place_of(gimple_call_arg(at.statement, 0)) != started)
            continue;
        for (unsigned i = 1; i < gimple_call_num_args(at.statement); ++i) {
            const auto first = first_of(origin_of(values_, gimple_call_arg(at.statement, i)));
            if (!first) continue;
            Gathering& gathering = values_.gathering();
            Value value{.kind = Value::Kind::Counted, .number = *first};
            value.name = gathering.intern(gathering.unit.strings[gathering.symbol(callee)] + '\n' +
                                          std::to_string(i));
            gathering.constructed_numbers.try_emplace(
                value.name, ConstructedNumber{gathering.symbol(callee), i});
            return value;
        }
    }
    return {};
}

/// What a temporary is made of that is handed over by a reference, as `static_cast<int>(i)`; else
/// `object` itself.
tree ThreadNumbers::converted(tree object) {
    const bool is_temporary =
        VAR_P(object) && DECL_ARTIFICIAL(object) && INTEGRAL_TYPE_P(TREE_TYPE(object));
    const Located* made = is_temporary ? values_.only_assignment(object) : nullptr;
    return made != nullptr && is_copying(made->statement) ? gimple_assign_rhs1(made->statement)
                                                          : object;
}

Value ThreadNumbers::counted(tree argument, bool is_reference) {
    tree number = strip(argument);
    if (is_reference && TREE_CODE(number) == ADDR_EXPR) number = converted(TREE_OPERAND(number, 0));
    const auto first = first_of(origin_of(values_, number));
    const std::vector<Located> members = source_.member_writes;
    const std::vector<Located> elements = source_.element_writes;
    Value value;
    if (!first) value = shifted(origin_of(values_, number), NULL_TREE);
    if (value.kind != Value::Kind::Unknown) return value;
    if (!first) {
        const Place started = place_of(argument);
        value = counted_part(started, members);
        if (value.kind == Value::Kind::Unknown) value = counted_part(started, elements);
        return value.kind == Value::Kind::Unknown ? counted_by_constructor(started) : value;
    }
    value.kind = Value::Kind::Counted;
    value.number = *first;
    return value;
}

/// What the statement writes into the object `place`: a constant, or the number of each element.
/// kUnknownFirst: something else.
std::optional<std::int64_t> ThreadNumbers::number_written(const Located& at, const Place& place) {
    const tree target = gimple_assign_lhs(at.statement);
    const tree object =
        TREE_CODE(target) == COMPONENT_REF ? strip(TREE_OPERAND(target, 0)) : target;
    const Place written = place_of_object(object, kMostNumberCopies);
    if (written.base != place.base) return std::nullopt;
    const bool is_of_each = place.index != NULL_TREE && tree_fits_shwi_p(place.index) &&
                            written.index != NULL_TREE && TREE_CODE(written.index) != INTEGER_CST;
    if (!is_of_each && !is_same_index(written.index, place.index)) return std::nullopt;
    if (is_of_each && is_copying(at.statement) &&
        origin_of(values_, gimple_assign_rhs1(at.statement)) == written.index)
        return tree_to_shwi(place.index);
    const auto constant = is_copying(at.statement)
                              ? values_.constant(gimple_assign_rhs1(at.statement))
                              : std::nullopt;
    return constant && *constant >= 0 ? *constant : kUnknownFirst;
}

/// Into those of members by name, and of elements.
void ThreadNumbers::add_fixed(const Place& place, const Located& at, std::vector<Value>& fixed) {
    const auto number = number_written(at, place);
    if (!number) return;
    const tree target = gimple_assign_lhs(at.statement);
    Value value{.kind = Value::Kind::Counted, .number = *number, .is_shared = true};
    if (TREE_CODE(target) == COMPONENT_REF)
        value.name = values_.gathering().intern(member_name(target));
    for (Value& other : fixed) {
        if (other.name != value.name) continue;
        if (other.number != value.number) other.number = kUnknownFirst;
        return;
    }
    fixed.push_back(value);
}

std::vector<Value> ThreadNumbers::fixed(tree argument) {
    const Place place = place_of(argument);
    const bool is_element = place.index != NULL_TREE;
    if (place.base == NULL_TREE || !VAR_P(place.base) ||
        (is_element && !tree_fits_shwi_p(place.index)))
        return {};
    std::vector<Value> fixed;
    for (const auto* writes : {&source_.member_writes, &source_.element_writes}) {
        for (const Located& at : *writes)
            add_fixed(place, at, fixed);
    }
    std::erase_if(fixed, [](const Value& value) { return value.number == kUnknownFirst; });
    return fixed;
}

/// Of the object that is handed over.
std::vector<Value> ThreadNumbers::common(tree argument) {
    const Place place = place_of(argument);
    const bool is_element = place.index != NULL_TREE;
    if (place.base == NULL_TREE || !(is_element || is_new(place))) return {};
    const std::vector<Located> writes = source_.member_writes;
    std::vector<std::pair<tree, tree>> written;  // members, and what they get
    for (const Located& at : writes) {
        const tree member = gimple_assign_lhs(at.statement);
        const Place object = place_of_object(strip(TREE_OPERAND(member, 0)), kMostNumberCopies);
        if (!is_copying(at.statement) || object.base != place.base) continue;
        if (is_element && object.index != place.index) return {};
        written.emplace_back(member, gimple_assign_rhs1(at.statement));
    }
    tree counter = place.index;
    for (const auto& [member, number] : written) {
        if (counter == NULL_TREE && first_of(origin_of(values_, number)))
            counter = origin_of(values_, number);
    }
    std::vector<Value> common;
    for (const auto& each : written) {
        Value value{.kind = Value::Kind::SameForAll};
        value.name = values_.gathering().intern(member_name(each.first));
        const auto is_same = [&each](const auto& other) {
            return TREE_OPERAND(other.first, 1) == TREE_OPERAND(each.first, 1);
        };
        const bool is_fixed_there =
            counter != NULL_TREE && is_fixed(each.second, line_of_loop(counter), kMostNumberCopies);
        if (is_fixed_there && std::ranges::count_if(written, is_same) == 1) common.push_back(value);
    }
    return common;
}

/// Whether a thread may be started with the function, and what it is handed is in the parameter.
bool may_be_handed(std::int64_t position) {
    tree parameter = DECL_ARGUMENTS(current_function_decl);
    for (; position > 0 && parameter != NULL_TREE; --position)
        parameter = DECL_CHAIN(parameter);
    if (parameter == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(parameter))) return false;
    if (VOID_TYPE_P(TREE_TYPE(TREE_TYPE(parameter))) || is_call_operator(current_function_decl))
        return true;
    return is_closure(parameter);
}

}  // namespace

tree origin_of(Values& values, tree operand, bool may_scale) {
    for (int depth = 0; depth < kMostNumberCopies && operand != NULL_TREE; ++depth) {
        operand = strip(operand);
        const Located* definition =
            is_local_name(operand) ? values.only_definition(operand) : nullptr;
        if (definition == nullptr || !is_gimple_assign(definition->statement)) return operand;
        gimple* statement = definition->statement;
        const bool is_scaled = may_scale && gimple_assign_rhs_code(statement) == MULT_EXPR &&
                               TREE_CODE(gimple_assign_rhs2(statement)) == INTEGER_CST;
        if (!is_copying(statement) && !is_scaled) return operand;
        operand = gimple_assign_rhs1(statement);
    }
    return operand;
}

Value counted_argument(
    Values& values, SourceWalk& source, const gcall* start, unsigned position, bool is_reference) {
    return ThreadNumbers(values, source, start)
        .counted(gimple_call_arg(start, position), is_reference);
}

std::vector<Value> common_members(Values& values,
                                  SourceWalk& source,
                                  const gcall* start,
                                  unsigned position) {
    return ThreadNumbers(values, source, start).common(gimple_call_arg(start, position));
}

std::vector<Value> numbers_pointed_to(Values& values, SourceWalk& source, const gcall* call) {
    return ThreadNumbers(values, source, call).fixed(gimple_call_arg(call, 0));
}

Value number_in_parameter(Values& values, tree operand, ContextId context, bool of_any) {
    tree member = origin_of(values, operand);
    if (member != NULL_TREE && VAR_P(member) && DECL_HAS_VALUE_EXPR_P(member))
        member = DECL_VALUE_EXPR(member);
    if (member == NULL_TREE || TREE_CODE(member) != COMPONENT_REF) return {};
    const tree object = TREE_OPERAND(member, 0);
    if (TREE_CODE(object) != MEM_REF || !integer_zerop(TREE_OPERAND(object, 1))) return {};
    Value value = values.of(TREE_OPERAND(object, 0), context);
    if (!is_whole_parameter(value) || !(of_any || may_be_handed(value.number))) return {};
    value.name = values.gathering().intern(member_name(member));
    return value;
}

}  // namespace mqinspect::thread_level::plugin

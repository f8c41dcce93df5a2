// Calls of MPI procedures: Preparation, fifth part.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/prepared.h"
#include "thread_level/gcc_plugin/requested_levels.h"
#include "thread_level/gcc_plugin/returned_objects.h"
#include "thread_level/gcc_plugin/texts.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

std::optional<std::int64_t> level_of(std::string_view name) {
    constexpr std::string_view prefix = "MPI_THREAD_";
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    std::int64_t level = 0;
    for (const std::string_view known : {"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"}) {
        if (name == known) return level;
        ++level;
    }
    return std::nullopt;
}

/// How many elements an array has; nothing: it is none, or that is not known.
std::optional<std::int64_t> length_of(tree type) {
    const tree range = TREE_CODE(type) == ARRAY_TYPE ? TYPE_DOMAIN(type) : NULL_TREE;
    const tree first = range == NULL_TREE ? NULL_TREE : TYPE_MIN_VALUE(range);
    const tree last = range == NULL_TREE ? NULL_TREE : TYPE_MAX_VALUE(range);
    if (first == NULL_TREE || last == NULL_TREE || !tree_fits_shwi_p(first) ||
        !tree_fits_shwi_p(last))
        return std::nullopt;
    return tree_to_shwi(last) - tree_to_shwi(first) + 1;
}

}  // namespace

Step Preparation::make_mpi_step(const LocatedCall& at) {
    const MpiProcedure& procedure = *at.callee->mpi;
    Step step;
    step.kind = StepKind::Mpi;
    step.name = gathering_.intern(procedure.name);
    step.is_library = step.name != at.callee->symbol;
    const auto value = [&](int position) {
        Value argument = values_.of(argument_of(at.call, position), at.context);
        if (argument.kind == Value::Kind::Element) note_index(argument, at);
        return argument;
    };
    step.mpi.communicator = value(procedure.communicator);
    step.mpi.communicator.is_shared |= is_of_maker(step.mpi.communicator, at.context);
    step.mpi.peer = number_in(argument_of(at.call, procedure.peer), at.context);
    step.mpi.tag = number_in(argument_of(at.call, procedure.tag), at.context);
    step.mpi.object = value(procedure.object);
    if (procedure.count >= 0) step.mpi.object = array_of_requests(at);
    if (procedure.datatype >= 0) step.mpi.object = own_datatype(at);
    if (procedure.object < 0 && procedure.tag < 0 && procedure.communicator >= 0) {
        step.mpi.object = own_argument(at);
        step.mpi.tag = unread_signature(at);
    }
    const tree provided = argument_of(at.call, procedure.provided);
    note_holder_of_level(provided);
    if (procedure.required >= 0) {
        step.mpi.level = requested_level(argument_of(at.call, procedure.required),
                                         {at.call, at.context},
                                         source_,
                                         callees_,
                                         values_);
    }
    if (procedure.required >= 0 || procedure.provided >= 0) note_provided(step, at, provided);
    if (procedure.name == "MPI_Session_init") {
        step.mpi.level = session_level();
        step.mpi.tests_provided = true;
    }
    note_telling(at);
    note_global_handles(at);
    return step;
}

/// In a variable of the program: others are never freed.
Value Preparation::own_datatype(const LocatedCall& at) {
    const tree argument = argument_of(at.call, at.callee->mpi->datatype);
    const bool is_predefined =
        !is_fortran() && argument != NULL_TREE && TREE_CODE(strip(argument)) == ADDR_EXPR;
    const Value type = is_predefined ? Value{} : values_.of(argument, at.context);
    const bool is_variable = type.kind == Value::Kind::Global || type.kind == Value::Kind::Local ||
                             type.kind == Value::Kind::Parameter;
    return is_variable ? type : Value{};
}

/// Of an element by the number of a thread: which a task does not ask for, so that it has that of
/// the thread by which it is made.
bool Preparation::is_of_maker(const Value& value, ContextId context) const {
    if (value.kind != Value::Kind::Element || value.number != 1) return false;
    const ContextId task = source_.thread_context(context);
    const gimple* construct = source_.contexts[task].construct;
    if (construct == nullptr || gimple_code(construct) != GIMPLE_OMP_TASK) return false;
    return std::ranges::none_of(source_.any_calls, [&](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return callee != NULL_TREE && source_.is_inside(at.context, task) &&
               callees_.of(callee).kind == CalleeKind::ThreadNumber;
    });
}

/// MPI tells the rank or the size of a communicator in a static variable, or in a member.
void Preparation::note_telling(const LocatedCall& at) {
    const std::string& name = at.callee->mpi->name;
    if (name != "MPI_Comm_rank" && name != "MPI_Comm_size") return;
    const tree told = address_in(argument_of(at.call, 1));
    if (told == NULL_TREE) return;
    const tree variable = TREE_OPERAND(told, 0);
    StringId keeper = 0;
    if (TREE_CODE(variable) == COMPONENT_REF) {
        keeper = provided_field(variable, gathering_).name;
    } else if (VAR_P(variable) && is_global_var(variable)) {
        ++gathering_.global(variable).tellings;
        keeper = gathering_.symbol(variable);
    }
    if (keeper != 0) {
        gathering_.level_flag_writes.push_back(
            {.keeper = keeper, .if_true = kTold, .if_false = kTold});
    }
}

/// A peer or a tag, which may be a member of an object, or what a function returns, or be computed
/// of what all threads have in common.
Value Preparation::number_in(tree argument, ContextId context) {
    const Value value = values_.of(argument, context);
    if (argument == NULL_TREE) return value;
    if (value.kind == Value::Kind::Element && value.number == 0) {
        const Value member = number_in_parameter(values_, argument, context, true);
        if (member.kind == Value::Kind::Parameter) return member;
    }
    if (value.kind != Value::Kind::Unknown) return value;
    if (const auto result = returned_number(values_, argument)) return *result;
    return conditions_.common_number(argument, context);
}

/// All that is waited for, if it is one array.
Value Preparation::array_of_requests(const LocatedCall& at) {
    const MpiProcedure& procedure = *at.callee->mpi;
    const tree argument = argument_of(at.call, procedure.object);
    Value array = values_.of(argument, at.context);
    if (array.kind != Value::Kind::Global && array.kind != Value::Kind::Local) return array;
    const std::string& name = gathering_.unit.strings[array.name];
    if (name.ends_with(".0")) array.name = gathering_.intern(name.substr(0, name.size() - 2));
    const tree first = argument == NULL_TREE ? NULL_TREE : strip(argument);
    tree object =
        first != NULL_TREE && TREE_CODE(first) == ADDR_EXPR ? TREE_OPERAND(first, 0) : NULL_TREE;
    if (object != NULL_TREE && TREE_CODE(object) == ARRAY_REF) object = TREE_OPERAND(object, 0);
    const auto length = object == NULL_TREE ? std::nullopt : length_of(TREE_TYPE(object));
    const Value count = values_.of(argument_of(at.call, procedure.count), at.context);
    const bool is_part =
        count.kind == Value::Kind::Constant && !(length && count.number >= *length);
    array.number = is_part ? count.number : kWholeArray;
    return array;
}

/// A text, or that which a local variable has: a pointer to one, or an array with it.
std::optional<std::string_view> Preparation::text_in(tree argument) {
    if (argument == NULL_TREE) return std::nullopt;
    if (const auto text = text_at(argument)) return text;
    argument = strip(argument);
    const bool is_array = TREE_CODE(argument) == ADDR_EXPR;
    const tree variable = is_array ? TREE_OPERAND(argument, 0) : argument;
    const VariableUse* use = is_local_name(variable) ? source_.use_of(variable) : nullptr;
    if (use == nullptr || use->escapes || use->definitions.size() != 1) return std::nullopt;
    const gimple* set = use->definitions.front().statement;
    if (!gimple_assign_single_p(set)) return std::nullopt;
    const tree text = gimple_assign_rhs1(set);
    return TREE_CODE(text) == STRING_CST ? text_of(text) : text_at(text);
}

/// The level that the function asks for in an info object, if it is one.
Value Preparation::session_level() {
    Value level;
    for (const LocatedCall& at : source_.calls) {
        if (at.callee == nullptr || at.callee->mpi == nullptr ||
            at.callee->mpi->name != "MPI_Info_set")
            continue;
        const auto key = text_in(argument_of(at.call, 1));
        const auto name = text_in(argument_of(at.call, 2));
        if (!key || (*key != "thread_level" && *key != "mpi_thread_support_level")) continue;
        const auto number = name ? level_of(*name) : std::nullopt;
        const bool is_other = level.kind == Value::Kind::Constant && level.number != number;
        if (!number || is_other) return {};
        level.kind = Value::Kind::Constant;
        level.number = *number;
    }
    return level;
}

}  // namespace mqinspect::thread_level::plugin

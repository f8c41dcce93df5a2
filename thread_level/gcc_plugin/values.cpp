#include "thread_level/gcc_plugin/values.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/captured_objects.h"
#include "thread_level/gcc_plugin/chosen_values.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/member_handles.h"
#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/pointed_members.h"
#include "thread_level/gcc_plugin/returned_objects.h"
#include "thread_level/gcc_plugin/same_copies.h"
#include "thread_level/gcc_plugin/texts.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostValueCopies = 32;  // of copies that are followed

struct KnownCommunicator {
    std::int64_t number;
    const char* name;
};
/// MPICH's handles: no other number means them.
constexpr KnownCommunicator kMpichCommunicators[] = {
    {0x44000000, "MPI_COMM_WORLD"}, {0x44000001, "MPI_COMM_SELF"}, {0x04000000, "MPI_COMM_NULL"}};

/// Open MPI's, in C and in mpi_f08.
const char* communicator_of_open_mpi(std::string_view variable) {
    for (const std::string_view prefix : {"ompi_mpi_comm_", "ompi_f08_mpi_comm_"}) {
        if (!variable.starts_with(prefix)) continue;
        const std::string_view name = variable.substr(prefix.size());
        if (name == "world") return "MPI_COMM_WORLD";
        if (name == "self") return "MPI_COMM_SELF";
        if (name == "null") return "MPI_COMM_NULL";
    }
    return nullptr;
}

/// What mpi_f08's handles consist of.
bool is_handle_component(tree field) {
    return DECL_NAME(field) != NULL_TREE &&
           std::string_view(IDENTIFIER_POINTER(DECL_NAME(field))) == "mpi_val";
}

/// Fortran's numbers for predefined communicators are not told apart from others by value, so
/// only MPICH's are known here.
Value of_number(Gathering& gathering, tree constant) {
    Value value;
    if (!tree_fits_shwi_p(constant) && !tree_fits_uhwi_p(constant)) return value;
    value.kind = Value::Kind::Constant;
    value.number = static_cast<std::int64_t>(TREE_INT_CST_LOW(constant));
    for (const KnownCommunicator& known : kMpichCommunicators) {
        if (known.number != value.number) continue;
        value.kind = Value::Kind::Predefined;
        value.name = gathering.intern(known.name);
        value.number = 0;
    }
    return value;
}

/// gfortran's copy of a literal that a call is handed by its address.
tree literal_of(tree variable) {
    const bool is_copy = VAR_P(variable) && DECL_ARTIFICIAL(variable) && TREE_STATIC(variable) &&
                         TREE_READONLY(variable) && !TREE_PUBLIC(variable);
    const tree initial = is_copy ? DECL_INITIAL(variable) : NULL_TREE;
    return initial != NULL_TREE && TREE_CODE(initial) == INTEGER_CST ? initial : NULL_TREE;
}

/// In bytes; 0: that is not known.
std::int64_t size_of_pointed(tree pointer) {
    const tree size = TYPE_SIZE_UNIT(TREE_TYPE(TREE_TYPE(pointer)));
    return size != NULL_TREE && tree_fits_shwi_p(size) ? tree_to_shwi(size) : 0;
}

/// Whether it is the call that attribute "cleanup" makes where the scope of `variable` ends.
bool cleans_up(const Located& at, tree variable) {
    if (!VAR_P(variable)) return false;
    const tree attribute = lookup_attribute("cleanup", DECL_ATTRIBUTES(variable));
    const tree callee = gimple_call_fndecl(at.statement);
    if (attribute == NULL_TREE || callee == NULL_TREE) return false;
    const tree named = TREE_VALUE(TREE_VALUE(attribute));
    return (TREE_CODE(named) == IDENTIFIER_NODE ? named : DECL_NAME(named)) == DECL_NAME(callee);
}

}  // namespace

tree strip(tree operand) {
    while (CONVERT_EXPR_P(operand) || TREE_CODE(operand) == NON_LVALUE_EXPR ||
           TREE_CODE(operand) == VIEW_CONVERT_EXPR)
        operand = TREE_OPERAND(operand, 0);
    return operand;
}

int parameter_position(tree parameter) {
    int position = 0;
    for (tree p = DECL_ARGUMENTS(current_function_decl); p != NULL_TREE; p = DECL_CHAIN(p)) {
        if (p == parameter) return position;
        ++position;
    }
    return -1;
}

std::string member_name(tree reference) {
    const tree member = TREE_CODE(reference) == FIELD_DECL ? reference : TREE_OPERAND(reference, 1);
    return std::string(name_of_type(DECL_CONTEXT(member))) + "::" + own_name(member);
}

bool is_field_of_function(tree reference) {
    if (TREE_CODE(reference) != COMPONENT_REF) return false;
    const tree name = TYPE_NAME(DECL_CONTEXT(TREE_OPERAND(reference, 1)));
    return name != NULL_TREE && TREE_CODE(name) == TYPE_DECL &&
           decl_function_context(name) != NULL_TREE;
}

const char* own_name(tree member) {
    return DECL_NAME(member) != NULL_TREE ? IDENTIFIER_POINTER(DECL_NAME(member)) : "?";
}

ProvidedField& provided_field(tree reference, Gathering& gathering) {
    const tree member = TREE_OPERAND(reference, 1);
    ProvidedField& field = gathering.provided_fields[DECL_UID(member)];
    if (field.name == 0 && DECL_NAME(member) != NULL_TREE)
        field.name = gathering.intern(member_name(reference));
    return field;
}

std::string_view written_name(tree type) {
    tree name = TYPE_NAME(type);
    if (name == NULL_TREE) name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    return name != NULL_TREE && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name)
                                                                   : std::string_view();
}

std::string_view declared_name(tree declaration) {
    const tree name = declaration == NULL_TREE ? NULL_TREE : DECL_NAME(declaration);
    return name == NULL_TREE ? std::string_view() : IDENTIFIER_POINTER(name);
}

bool is_smart_pointer(tree type) {
    if (type == NULL_TREE || !RECORD_OR_UNION_TYPE_P(type)) return false;
    const std::string_view name = name_of_type(TYPE_MAIN_VARIANT(type));
    return name == "unique_ptr" || name == "shared_ptr" || name == "__shared_ptr" ||
           name == "__shared_ptr_access";
}

std::string local_name(tree variable) {
    return std::string(IDENTIFIER_POINTER(DECL_NAME(variable))) + '@' +
           std::to_string(DECL_SOURCE_LINE(variable));
}

bool is_handle_type(tree type) {
    for (int depth = 0; depth < 3 && type != NULL_TREE; ++depth) {
        const std::string_view text = written_name(type);
        // Copies that GCC makes only have the name of what MPICH's or Open MPI's handle points to.
        if (text.starts_with("MPI_") || text.starts_with("mpi_") || text.starts_with("omp_") ||
            text.starts_with("pthread_") || text.ends_with("mutex") || text == "mtx_t" ||
            text == "ADIOI_FileD" || text.starts_with("ompi_"))
            return true;
        if (!POINTER_TYPE_P(type)) return false;
        type = TREE_TYPE(type);
    }
    return false;
}

bool is_array_of_handles(tree type) {
    if (TREE_CODE(type) != ARRAY_TYPE) return false;
    while (TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    // Fortran's handles are plain integers.
    return is_fortran() ? TREE_CODE(type) == INTEGER_TYPE : written_name(type).starts_with("MPI_");
}

Value Values::of(tree operand, ContextId context) {
    last_index_ = {};
    return of(operand, context, kMostValueCopies);
}

Value Values::object_at(tree address, ContextId context) {
    const tree pointer = address == NULL_TREE ? NULL_TREE : strip(address);
    if (pointer != NULL_TREE && TREE_CODE(pointer) == ADDR_EXPR) {
        const tree object = strip(TREE_OPERAND(pointer, 0));
        if (is_class_container(TREE_TYPE(object)) && VAR_P(object)) {
            const tree data = data_in(object, "_data");
            return data == NULL_TREE ? Value{} : object_at(data, context);
        }
        if (VAR_P(object) && !is_global_var(object) && !DECL_HAS_VALUE_EXPR_P(object) &&
            DECL_NAME(object) != NULL_TREE)
            return named_local(object, context);
    }
    const Value shared =
        pointer == NULL_TREE ? Value{} : shared_holder(*this, source_, pointer, context);
    return shared.kind == Value::Kind::Unknown ? of(address, context) : shared;
}

Value Values::of(tree operand, ContextId context, int depth) {
    if (operand == NULL_TREE || depth <= 0) return {};
    operand = strip(operand);
    switch (TREE_CODE(operand)) {
        case INTEGER_CST:
            return of_number(gathering_, operand);
        case ADDR_EXPR:
            if (const auto text = text_number(operand)) {
                Value value;
                value.kind = Value::Kind::Constant;
                value.number = *text;
                return value;
            }
            return of_object(TREE_OPERAND(operand, 0), context, depth - 1);
        default:
            return of_object(operand, context, depth - 1);
    }
}

Value Values::of_object(tree object, ContextId context, int depth) {
    if (object == NULL_TREE || depth <= 0) return {};
    object = strip(object);
    switch (TREE_CODE(object)) {
        case INTEGER_CST:
            return of_number(gathering_, object);
        case CONST_DECL:
            return of(DECL_INITIAL(object), context, depth - 1);
        case SSA_NAME:
            return of_local(object, context, depth - 1);
        case VAR_DECL:
        case PARM_DECL:
            return of_variable(object, context, depth - 1);
        case MEM_REF:
        case INDIRECT_REF:
            if (TREE_CODE(object) == MEM_REF && !integer_zerop(TREE_OPERAND(object, 1))) return {};
            return of(TREE_OPERAND(object, 0), context, depth - 1);
        case COMPONENT_REF:
            if (is_captured_object(object)) return {.kind = Value::Kind::Parameter};
            [[fallthrough]];
        case ARRAY_REF:
            return of_component(object, context, depth - 1);
        default:
            return {};
    }
}

Value Values::of_variable(tree variable, ContextId context, int depth) {
    Value value;
    if (VAR_P(variable) && DECL_HAS_VALUE_EXPR_P(variable))
        return of_object(DECL_VALUE_EXPR(variable), context, depth - 1);
    if (TREE_CODE(variable) == PARM_DECL) {
        const VariableUse* use = source_.use_of(variable);
        const int position = parameter_position(variable);
        if (position < 0 || (use != nullptr && !use->definitions.empty())) return value;
        value.kind = Value::Kind::Parameter;
        value.number = position;
        return value;
    }
    if (!is_global_var(variable)) return of_local(variable, context, depth);
    if (DECL_NAME(variable) != NULL_TREE) {
        const char* known = communicator_of_open_mpi(IDENTIFIER_POINTER(DECL_NAME(variable)));
        if (known != nullptr) {
            value.kind = Value::Kind::Predefined;
            value.name = gathering_.intern(known);
            return value;
        }
    }
    if (const tree literal = literal_of(variable); literal != NULL_TREE)
        return of_number(gathering_, literal);
    if (DECL_THREAD_LOCAL_P(variable)) return own_handle(gathering_, variable);
    gathering_.global(variable);
    value.kind = Value::Kind::Global;
    value.name = gathering_.symbol(variable);
    return value;
}

const Located* Values::only_definition(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes) return nullptr;
    const bool is_kept = std::all_of(use->handed_over.begin(),
                                     use->handed_over.end(),
                                     [&](const Located& at) { return cleans_up(at, variable); });
    return is_kept ? source_.one_definition(*use) : nullptr;
}

tree Values::copied_address(tree address) {
    constexpr int most_copies = 6;
    for (int i = 0; i < most_copies && is_local_name(address); ++i) {
        const Located* definition = only_definition(address);
        if (definition == nullptr || !is_copying(definition->statement)) break;
        address = gimple_assign_rhs1(definition->statement);
    }
    return address;
}

const Located* Values::only_assignment(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    return use != nullptr ? source_.one_definition(*use) : nullptr;
}

Value Values::of_local(tree variable, ContextId context, int depth) {
    const bool is_named =
        VAR_P(variable) && DECL_NAME(variable) != NULL_TREE && !DECL_ARTIFICIAL(variable);
    const VariableUse* use = source_.use_of(variable);
    const bool is_copy = use != nullptr && !use->definitions.empty() &&
                         (!is_named || only_definition(variable) != nullptr);
    if (is_copy) {
        // A temporary of the compiler is set right before each use, to the same or as it chooses.
        const Located definition = use->definitions.back();
        if (!is_named && use->definitions.size() > 1) {
            const VariableUse all = *use;
            const auto value_of = [&](const Located& at) { return of_definition(at, depth / 2); };
            if (is_choice(variable, all, value_of))
                return chosen_value(gathering_, callees_, source_, all);
        }
        if (is_gimple_call(definition.statement) && !is_index_of_container(definition.statement) &&
            !is_same_object(definition.statement)) {
            const Value own = is_named ? named_local(variable, context) : Value();
            const auto returned =
                returned_object(*this, as_a<gcall*>(definition.statement), definition.context, own);
            if (returned) return *returned;
        }
        Value copied = of_definition(definition, depth);
        // One of several, but the same one for all threads that share the variable.
        const bool is_some = copied.kind == Value::Kind::Element && copied.number == 0;
        if (is_some && is_named && is_communicator(TREE_TYPE(variable))) {
            const Value own = named_local(variable, context);
            if (own.is_shared) return own;
        }
        // What a pointer points to that the threads share.
        const bool is_local = copied.kind == Value::Kind::Local && !copied.is_shared;
        if (is_local && is_named && POINTER_TYPE_P(TREE_TYPE(variable)))
            copied.is_shared = named_local(variable, context).is_shared;
        if (copied.kind != Value::Kind::Unknown || !is_named) return copied;
    }
    if (!is_named) return {};
    const Value request = copied_request(variable, *this, source_, callees_);
    return request.kind != Value::Kind::Unknown ? request : named_local(variable, context);
}

Value Values::named_local(tree variable, ContextId context) {
    Value value;
    value.kind = Value::Kind::Local;
    value.name = gathering_.intern(local_name(variable));
    value.created_once = created_once(variable);
    value.is_shared = have_one(variable, context, source_, callees_);
    return value;
}

Value Values::of_definition(const Located& definition, int depth) {
    if (is_index_of_container(definition.statement)) {
        const tree selector = gimple_call_arg(definition.statement, 1);
        const Value array =
            of(gimple_call_arg(definition.statement, 0), definition.context, depth - 1);
        const bool is_one = array.kind == Value::Kind::Global || array.kind == Value::Kind::Local;
        const auto index = is_one ? constant(selector) : std::nullopt;
        return index ? numbered(array, *index) : element_of(array, selector);
    }
    if (is_same_object(definition.statement))
        return of(gimple_call_arg(definition.statement, 0), definition.context, depth - 1);
    if (const tree packed = packed_array(definition.statement); packed != NULL_TREE)
        return of(packed, definition.context, depth - 1);
    if (!is_gimple_assign(definition.statement)) return {};
    gimple* statement = definition.statement;
    if (is_copying(statement))
        return of(gimple_assign_rhs1(statement), definition.context, depth - 1);
    if (!is_gimple_assign(statement) || gimple_assign_rhs_code(statement) != POINTER_PLUS_EXPR)
        return {};
    Value array = of(gimple_assign_rhs1(statement), definition.context, depth - 1);
    const bool is_one = array.kind == Value::Kind::Global || array.kind == Value::Kind::Local ||
                        is_member_array(array, TREE_TYPE(TREE_TYPE(gimple_assign_rhs1(statement))));
    if (const auto index = is_one ? constant_index(statement) : std::nullopt)
        return numbered(array, *index);
    return element_of(
        array, gimple_assign_rhs2(statement), size_of_pointed(gimple_assign_rhs1(statement)));
}

/// Of a member, or of an element with a constant index; else empty.
std::string Values::name_of_part(tree reference) {
    const tree selector = TREE_OPERAND(reference, 1);
    if (TREE_CODE(reference) == COMPONENT_REF) return own_name(selector);
    const auto index = constant(selector);
    return index ? std::to_string(*index) : "";
}

Value Values::of_component(tree reference, ContextId context, int depth) {
    const tree base = TREE_OPERAND(reference, 0);
    if (const auto described = of_description(reference, context, depth - 1)) return *described;
    const bool is_field = TREE_CODE(reference) == COMPONENT_REF;
    const tree selector = TREE_OPERAND(reference, 1);
    if (is_field && is_handle_component(selector)) return of_object(base, context, depth - 1);
    const std::string part = name_of_part(reference);
    const tree variable = base_variable(base);
    if (variable != NULL_TREE && VAR_P(variable) && !part.empty()) {
        Value value = of_object(base, context, depth - 1);
        const bool is_one = value.kind == Value::Kind::Global || value.kind == Value::Kind::Local;
        const bool is_lock_pointer = is_field && points_to_lock(TREE_TYPE(selector));
        if (is_one || (is_lock_pointer && value.kind == Value::Kind::Element)) {
            value.name = gathering_.intern(gathering_.unit.strings[value.name] + '.' + part);
            value.created_once = false;
            if (is_lock_pointer) {
                gathering_.lock_member_of.try_emplace(value.name,
                                                      gathering_.intern(member_name(reference)));
            }
            return value;
        }
        if (value.kind == Value::Kind::Element) {
            last_index_ = {};  // of a part of the element
            return value;
        }
    }
    // Fortran's handles are plain integers.
    const bool is_handle = is_handle_type(TREE_TYPE(selector)) ||
                           is_array_of_handles(TREE_TYPE(selector)) ||
                           is_lock_type(TREE_TYPE(selector)) || is_container(TREE_TYPE(selector)) ||
                           is_integer_of_fortran(TREE_TYPE(selector));
    if (is_field && is_handle && TREE_CODE(base) == MEM_REF) {
        Value object = of_object(base, context, depth - 1);
        if (is_whole_parameter(object)) {
            object.name =
                gathering_.intern(std::string(name_of_type(TREE_TYPE(base))) + "::" + part);
            if (is_lock_type(TREE_TYPE(selector)))
                note_lock_part(gathering_, reference, object.name);
            return object;
        }
        const std::string member = std::string(name_of_type(TREE_TYPE(base))) + "::" + part;
        if (const auto shared = shared_member(*this, source_, reference, member, context))
            return *shared;
        if (const auto of_returned = member_of_returned(gathering_, object, member))
            return *of_returned;
    }
    if (is_field) {
        last_index_ = {};
        Value value;
        value.kind = Value::Kind::Element;
        value.name = gathering_.intern(std::string(name_of_type(TREE_TYPE(base))) + "::" + part);
        if (is_lock_type(TREE_TYPE(selector))) note_lock_part(gathering_, reference, value.name);
        return value;
    }
    return of_array_element(reference, context, depth);
}

tree Values::referred_to(tree argument) {
    const tree copy = TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : NULL_TREE;
    if (copy == NULL_TREE || !VAR_P(copy) || is_global_var(copy)) return argument;
    const VariableUse* use = source_.use_of(copy);
    if (use == nullptr || use->definitions.size() != 1) return argument;
    gimple* definition = use->definitions.front().statement;
    if (gimple_assign_single_p(definition) && POINTER_TYPE_P(TREE_TYPE(copy)))
        return gimple_assign_rhs1(definition);
    const tree callee = is_gimple_call(definition) ? gimple_call_fndecl(definition) : NULL_TREE;
    if (callee == NULL_TREE || gimple_call_num_args(definition) != 1) return argument;
    const std::string& symbol = gathering_.unit.strings[gathering_.symbol(callee)];
    return symbol.starts_with("_ZSt3refI") ? gimple_call_arg(definition, 0) : argument;
}

std::optional<std::int64_t> Values::constant(tree operand) {
    for (int depth = 0; depth < kMostValueCopies && operand != NULL_TREE; ++depth) {
        operand = strip(operand);
        if (TREE_CODE(operand) == INTEGER_CST) {
            return tree_fits_shwi_p(operand) ? std::optional<std::int64_t>(tree_to_shwi(operand))
                                             : std::nullopt;
        }
        if (TREE_CODE(operand) == CONST_DECL) {
            operand = DECL_INITIAL(operand);
            continue;
        }
        if (!is_local_name(operand)) return std::nullopt;
        const Located* definition = only_definition(operand);
        if (definition == nullptr || !is_copying(definition->statement)) return std::nullopt;
        operand = gimple_assign_rhs1(definition->statement);
    }
    return std::nullopt;
}

}  // namespace mqinspect::thread_level::plugin

/// Handles, locks and numbers in GIMPLE operands, as facts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

/// What a call does to a handle or lock whose address it gets.
enum class HandleEffect : std::uint8_t { None, Makes, Unknown };

class Values {
public:
    Values(Gathering& gathering, Callees& callees, SourceWalk& source)
        : gathering_(gathering), callees_(callees), source_(source) {}

    Gathering& gathering() const { return gathering_; }

    HandleEffect effect_of(gimple* call, tree variable);

    /// Of a handle, a lock, or what a pointer to such points to, used in `context`.
    Value of(tree operand, ContextId context);
    /// Of what `address` points to: which variable it is, whatever is in it.
    Value object_at(tree address, ContextId context);
    /// The only value that `operand` can have, if it is a number.
    std::optional<std::int64_t> constant(tree operand);
    /// The one assignment or call that gives a local `variable` its value; null if there are
    /// several, or it may change in other ways.
    const Located* only_definition(tree variable);
    /// The same, whoever gets its address.
    const Located* only_assignment(tree variable);
    /// Whether it is what the thread that asks is called in its team.
    bool is_thread_number(tree operand);
    /// What a local `address` is a copy of, as far as that can be told.
    tree copied_address(tree address);
    /// The address that an argument of a thread, a copy of it or std::ref(), stands for.
    tree referred_to(tree argument);

    /// Of the element that of() has given last, as a whole.
    struct ElementIndex {
        tree index = NULL_TREE;
        std::int64_t unit = 1;       ///< what the index of the next element has more
        bool is_of_one = false;      ///< the array is one for all threads of the region
        bool is_of_program = false;  ///< it has static storage
    };
    const ElementIndex& last_index() const { return last_index_; }

private:
    Value of(tree operand, ContextId context, int depth);
    Value of_object(tree object, ContextId context, int depth);
    Value of_variable(tree variable, ContextId context, int depth);
    Value of_local(tree variable, ContextId context, int depth);
    Value named_local(tree variable, ContextId context);
    Value of_definition(const Located& definition, int depth);
    Value element_of(const Value& array, tree index, std::int64_t unit = 1);
    bool is_thread_number(tree index, int depth);
    bool is_counter(tree index, int depth);
    bool begins_with_constant(tree index, int depth);
    bool is_next(tree counter, tree value);
    std::optional<Value> of_description(tree reference, ContextId context, int depth);
    Value handed_array(tree descriptor, ContextId context, int depth);
    tree packed_array(const gimple* call);
    tree data_of_descriptor(tree reference);
    tree data_in(tree variable, std::string_view field);
    std::optional<std::int64_t> index_behind_offset(tree index, int depth);
    std::string name_of_part(tree reference);
    /// The element with that number, of an array that is one.
    Value numbered(Value array, std::int64_t index);
    Value of_array_element(tree reference, ContextId context, int depth);
    Value of_component(tree reference, ContextId context, int depth);
    bool created_once(tree variable);
    tree only_constant(tree operand);
    bool is_null_handle(const Located& definition);

    Gathering& gathering_;
    Callees& callees_;
    SourceWalk& source_;
    ElementIndex last_index_;
    int indices_left_ = 0;  ///< of those that may be looked at for one element
};

/// Without conversions.
tree strip(tree operand);
/// Position of `parameter` in its function; -1: it is none.
int parameter_position(tree parameter);
/// Of what a COMPONENT_REF refers to.
ProvidedField& provided_field(tree reference, Gathering& gathering);
/// What values call a member, or that which a COMPONENT_REF refers to.
std::string member_name(tree reference);
/// Whether it is a member of a closure, or of a class that only one function knows: all that writes
/// it is seen there.
bool is_field_of_function(tree reference);
/// Of a member, "?" if it has none.
const char* own_name(tree member);
/// Of a variable, a member or a function; empty: it has none.
std::string_view declared_name(tree declaration);
/// Whether it is one of those of the standard library that own what they point to.
bool is_smart_pointer(tree type);
/// What values call a variable of a function, which has a name.
std::string local_name(tree variable);
/// Of a type as the source has it, be it by typedef; empty: it has none.
std::string_view written_name(tree type);
/// The number of the element that `array + 3` points to; nothing: `statement` is another sum.
std::optional<std::int64_t> constant_index(const gimple* statement);
/// Whether `statement` is `v[i]` of one of the standard library's arrays.
bool is_index_of_container(gimple* statement);
/// Whether it is `v.data()` of one of those, or std::forward().
bool is_same_object(gimple* statement);
/// Whether it is an integer, as Fortran's handles are, or an array of such.
bool is_integer_of_fortran(tree type);
/// Whether it is gfortran's of a `class(...)`: where the object is, and what type it has.
bool is_class_container(tree type);
/// Whether it is where the object of such is.
bool is_data_of_class(tree reference);
/// Whether it asks for where the array of a descriptor is.
bool is_data_of_array(tree reference);
/// Whether the type is one of the standard library's arrays.
bool is_container(tree type);
/// Whether the type's name says that it is MPI's, a lock, or a pointer to such.
bool is_handle_type(tree type);
/// Whether it is an array of MPI's.
bool is_array_of_handles(tree type);

}  // namespace mqinspect::thread_level::plugin

/// Which variable, array, container or member a thread is known by, where it starts and where it is
/// joined: the value of such steps.
///
/// Local and Global are that variable, "pool@3.net" a member of it, "t@3.1" an element with a
/// constant index, "t@3.<2" one whose index is below that, and "pool@3.?" some member of an
/// element. Parameter: what the argument refers to, or the member `name` of that. Element: the
/// member "Pool::net" of an object that can't be told. Constant: what std::async() starts, which no
/// variable has to be there for. Unknown: it can't be told, or others may know the thread by
/// another variable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

class ThreadHandles {
public:
    ThreadHandles(Gathering& gathering, SourceWalk& source, Values& values)
        : gathering_(gathering), source_(source), values_(values) {}

    Value started_by(const LocatedCall& at);
    Value joined_by(const LocatedCall& at);
    /// Of threads in a row: `first` is an iterator, a pointer, or refers to their container.
    Value joined_from(tree first);
    /// Of what ends_with_threads(): a variable of the function, unless its thread may be elsewhere
    /// by then, or detached.
    Value ended_by(const LocatedCall& at);
    /// Of the destructor of a std::jthread: it has nothing to join, as its thread has been moved.
    bool is_left_empty(const LocatedCall& at);
    /// Of a member function of one of the library's containers of threads: that container.
    Value container_of(const LocatedCall& at);

private:
    /// Of an array that the index is not known of, `is_cut`.
    struct Spot {
        Value value;
        bool is_cut = false;
        std::int64_t below = 0;  ///< its index is lower; 0: nothing is known of that

        bool operator==(const Spot&) const = default;
    };

    bool is_in_library();
    Value handle_at(tree address, bool is_start);
    Value value_of(Spot spot);
    std::int64_t limit_of(tree index);
    bool starts_from(tree array, std::int64_t limit) const;
    Spot at_address(tree address, int depth);
    Spot at_pointer(tree pointer, int depth);
    Spot at_definition(gimple* definition, tree pointer, int depth);
    Spot place(tree object, int depth);
    Spot variable_spot(tree variable, int depth);
    Spot member_spot(tree reference, int depth);
    static Spot of_parameter(int position);
    static bool is_variable(const Spot& spot);
    Spot element(Spot array, std::optional<std::int64_t> index);
    Spot named(Value::Kind kind, const std::string& name);
    Spot with_part(Spot spot, const std::string& part);
    Spot value_spot(tree operand, int depth);
    bool is_copied(tree variable);
    bool is_source_of_copy(const std::vector<tree>& copies, tree operand) const;
    std::string_view symbol_of(const gimple* call);
    tree moved_to(tree variable, bool& is_moved);
    tree taken_from(tree variable);
    bool is_known_as(tree source, tree variable);

    Gathering& gathering_;
    SourceWalk& source_;
    Values& values_;
    bool is_start_ = false;
};

}  // namespace mqinspect::thread_level::plugin

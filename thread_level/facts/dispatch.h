/// What calls mean that name no function: by tables of virtual functions, and by pointers.
#pragma once

#include <tuple>
#include <vector>

#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level {

/// Which functions the virtual calls of an object of just this class mean, by their slots: the
/// symbols, 0 for those that nothing has to be said of. Of classes that Step::object_class names.
struct VirtualTable {
    StringId name = 0;
    std::vector<StringId> slots;

    bool operator==(const VirtualTable&) const = default;
};

/// Pointers to functions of one signature are cast to another one of which calls don't mean those
/// of the first one by themselves. What is no pointer to functions has no signature, 0: that is
/// both what a pointer is made of, and what a pointer to functions is turned to.
struct SignatureCast {
    StringId to = 0;
    StringId from = 0;

    bool operator==(const SignatureCast&) const = default;
    bool operator<(const SignatureCast& other) const {
        return to != other.to ? to < other.to : from < other.from;
    }
};

/// A variable, or the member "class::member" of whatever object, points to a function. Who calls by
/// it calls one of those that it points to. Or calls hand a function over as an argument, by
/// name_of_parameter(), to what may write it to such a pointer.
struct PointedFunction {
    StringId pointer = 0;
    StringId function = 0;   ///< its symbol; 0: one that can't be told; `pointer` itself: one that
                             ///< there is nothing to say about; an argument: what that points to
    bool is_shared = false;  ///< other units may write to it, too

    bool operator==(const PointedFunction&) const = default;
    bool operator<(const PointedFunction& other) const {
        return std::tie(pointer, function, is_shared) <
               std::tie(other.pointer, other.function, other.is_shared);
    }
};

}  // namespace mqinspect::thread_level

/// Whether two calls are given the same communicator, request, number.
#pragma once

#include <optional>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/meetings.h"
#include "thread_level/analysis/outer_locks.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/sameness.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// Whether both are the element of one array by the index that a loop counts.
bool is_same_index(const Operand& a, const Operand& b);

class Handles {
public:
    /// Refers to all three.
    Handles(const Program& program, const Contexts& contexts, const OuterLocks& outer_locks)
        : program_(program), contexts_(contexts), outer_locks_(outer_locks) {}

    /// Of two calls in a scope of one function, on different threads. `is_one_call`: both threads
    /// are in the same call of that function, so that its parameters and shared variables are
    /// the same for both.
    Sameness compare(const Operand& a, const Operand& b, bool is_one_call) const {
        return compare(a, b, is_one_call, 0);
    }
    /// The same of a pair: what a loop counts, or who makes two tasks has, may be one for both.
    Sameness compare(const Operand& a, const Operand& b, const Pair& pair) const;

    /// Whether a request that one of two calls in a scope uses is in the array that the other does,
    /// or elements of two arrays are the same.
    bool share_request(const Operand& a, const Operand& b, bool is_one_call) const;

    /// Whether a number is a variable of the whole program that is written in several places.
    bool may_change(const Operand& number) const;

    /// Whether one message may be for both of two calls that probe or receive, as far as peers and
    /// tags tell: MPI_ANY_SOURCE and MPI_ANY_TAG fit all.
    bool may_match(const Group& a, const Group& b, bool is_one_call) const;
    /// Whether a number is MPI_ANY_SOURCE or MPI_ANY_TAG.
    bool is_wildcard(const Operand& number) const;
    /// What is left of two numbers, divided by the same: `(rank + 1) % size` and `(rank - 1) %
    /// size` are one process, if there are two.
    bool are_rests(const Operand& a, const Operand& b) const;

    /// Whether a communicator is MPI_COMM_SELF, for which no other process can have another order.
    bool is_of_this_process(const Operand& communicator) const;

    /// Whether both are one member of objects that all have what one variable has had.
    bool may_be_one_handle(const Operand& a, const Operand& b) const;

    /// Whether what is held in `node` is one and the same for threads that meet there. `apart`:
    /// each of them is in a call of its own of that.
    Sameness same_lock(const Exclusion& lock, Node node, bool apart) const;

private:
    struct Parameter {
        FunctionId function = 0;
        std::uint32_t number = 0;
    };

    /// Whether all threads that enter a function hand over one object as that parameter, or each
    /// another one.
    Sameness handed_object(const Parameter& parameter, bool is_started, int depth) const;
    bool share_element(const Operand& a, const Operand& b, const Pair& pair) const;
    bool is_in(const Operand& request, const Operand& array, bool is_one_call) const;
    Sameness outer_lock_at(const CallerEdge& caller, const Value& lock, bool is_start) const;
    Sameness object_at(const CallerEdge& caller,
                       std::uint32_t number,
                       bool is_started,
                       int depth) const;
    Sameness compare(const Operand& a, const Operand& b, bool is_one_call, int depth) const;
    bool are_of_one_call(const Operand& a, const Operand& b, bool is_one_call) const;
    Sameness compare_known(const Operand& a, const Operand& b, bool is_one_call) const;
    Sameness compare_values(const Value& a, const Value& b, bool is_one_call) const;
    Sameness compare_by_callers(const Operand& a, const Operand& b, int depth) const;
    std::optional<std::int64_t> predefined(const Operand& operand) const;
    Operand named(const Operand& operand) const;
    Operand fixed(const Operand& operand, int depth) const;
    bool is_kept(const Value& value) const;
    bool is_created(const Value& value) const;
    const Variable* member_of(const Operand& operand) const;
    static bool has_one_handle(const Variable& member);

    const Program& program_;
    const Contexts& contexts_;
    const OuterLocks& outer_locks_;
};

}  // namespace mqinspect::thread_level

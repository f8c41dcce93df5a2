/// The stacks of all ranks merged into one tree, outermost frame first.
///
/// As STAT and pstack-like tools merge them (D. Arnold et al., "Stack trace analysis for
/// large scale debugging", IPDPS 2007): ranks that are at the same place share a path,
/// and where they part is where the tree branches.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/job_snapshot.h"
#include "report/page.h"
#include "report/text.h"

namespace mqinspect::report {

/// Frames of several ranks that have the same callers, function and source line; without
/// a function name: the same file. Views live as long as the snapshot.
struct StackNode {
    std::string_view function;  ///< empty if unknown
    std::string_view image;     ///< path of the executable or library, may be empty
    std::string_view file;      ///< of the source, empty if unknown
    int line = 0;               ///< 0 if unknown
    std::size_t depth = 0;      ///< 0: nobody calls it
    /// Ranks that are here or deeper, ascending.
    std::vector<model::WorldRank> ranks;
    /// How many of them are here and not deeper.
    std::size_t ending = 0;
    /// Called, at whatever distance, by an MPI function.
    bool inside_mpi = false;
};

struct StackTree {
    /// In pre-order: a node stands before those that it calls, which are ordered by their
    /// smallest rank.
    std::vector<StackNode> nodes;
    /// Ranks that live and whose stack is not known.
    std::vector<model::WorldRank> without_stack;
};

/// Which frames count.
enum class Frames {
    All,
    /// From main to the MPI call: not what starts a program, nor what the MPI library
    /// calls inside, in which ranks differ by chance.
    OfUser,
};

/// Of `ranks`, of which unknown ones are passed over; borrows the snapshot.
StackTree merge_stacks(const model::JobSnapshot& snapshot,
                       std::span<const model::WorldRank> ranks,
                       Frames frames);

/// The same of all ranks.
StackTree merge_stacks(const model::JobSnapshot& snapshot, Frames frames);

/// "solve", "?? in libfoo.so": what a frame is called.
std::string frame_name(const StackNode& node);

/// The tree, `indent` columns from the left: the ranks, and beside them a frame a line. Only
/// branches are indented; a function that calls itself on and on takes one line.
void print_stack_tree(Page& page,
                      const model::JobSnapshot& snapshot,
                      const StackTree& tree,
                      bool verbose,
                      std::size_t indent);

/// The same as a text of its own, ending in a newline; Frames::All if `options` say verbose.
std::string print_stack_tree(const model::JobSnapshot& snapshot,
                             std::span<const model::WorldRank> ranks,
                             const TextOptions& options);

/// The stacks as flame graph tools read them (Brendan Gregg's "folded" format): a line for each
/// distinct stack, "main;solve;MPI_Recv 4", with the number of ranks. Frames have no lines, blanks,
/// or semicolons of their own: both become '_', and what cannot be printed is escaped.
std::string print_folded(const model::JobSnapshot& snapshot);

}  // namespace mqinspect::report

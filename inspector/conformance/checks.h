/// What the structures that a DLL fills in must look like. Used in a helper process only.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "include/mqs_extensions.h"
#include "inspector/conformance/journal.h"

namespace mqinspect::conformance {

/// Every byte of a structure before the DLL gets it, so that what it leaves out shows.
inline constexpr unsigned char kUnwritten = 0xa5;

/// A queue of the communicator at hand.
struct SeenQueue {
    int setup = mqs_no_information;
    int end = mqs_no_information;  ///< what ended the iteration
    std::vector<mqs_pending_operation> operations;
};

struct SeenCommunicator {
    mqs_communicator communicator{};
    std::vector<int> group;  ///< empty: not told
    /// What a rank of a peer means: its place in `group`. Of an intercommunicator it is a
    /// place in the other group; the standard functions do not tell them apart.
    bool peers_in_group = false;
    SeenQueue queues[3];
};

struct Look {
    int update = mqs_ok;
    int setup = mqs_ok;
    int end = mqs_ok;  ///< what ended the iteration
    std::vector<SeenCommunicator> communicators;

    std::size_t operations() const;
};

/// Empty if they are the same, else in what they first differ.
std::string difference(const Look& left, const Look& right);

void check_communicator(Journal& journal, const mqs_communicator& communicator);
/// `own_rank` in MPI_COMM_WORLD, -1 if not known; `guard`: what lies behind the group.
void check_group(Journal& journal,
                 const mqs_communicator& communicator,
                 std::span<const int> group,
                 std::span<const int> guard,
                 int own_rank);
/// `largest_rank`: no peer can have a greater one.
void check_operation(Journal& journal,
                     const SeenCommunicator& communicator,
                     int queue,
                     const mqs_pending_operation& operation,
                     long largest_rank);
/// Between the communicators of one process.
void check_look(Journal& journal, const Look& look);
/// One text: of a version, an error, a message.
void check_text(Journal& journal, Rule rule, std::string_view function, const char* text);

/// For the text of a violation: control characters as '?', at most 60 characters.
std::string quoted(const char* text, std::size_t room);

}  // namespace mqinspect::conformance

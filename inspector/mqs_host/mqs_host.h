/// Hosting a debugger DLL: what `mqs_*` says of each rank, as plain values.
///
/// The DLL runs in a helper process that is forked from this one, so that it
/// shares all that was read of the images and reads the targets itself, unless that is
/// left to another debugger. What it
/// asks of the debug information is looked up here, once for all ranks and all
/// helpers; results come back through a socket. A DLL that crashes, hangs, prints or exits
/// costs the rank it was at, and nothing else.
///
/// Follows J. Cownie, "MPI Message Queue Dumping" 1.06, and MQD 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "include/mqs_extensions.h"
#include "inspector/target/debug_symbols.h"
#include "inspector/target/memory.h"
#include "model/ids.h"

namespace mqinspect::mqs_host {

/// A target process as the host needs it. Everything is borrowed for the call.
struct HostedProcess {
    model::WorldRank rank;
    const target::DebugSymbols* view = nullptr;
    const target::Memory* memory = nullptr;
    /// Only this process can answer for them, as where another debugger does: the helper
    /// then asks here for each symbol and each page of memory.
    bool ask_here = false;
    /// The number of rank 0 of its MPI_COMM_WORLD; the others follow.
    int world_first = 0;
    /// Of its MPI_COMM_WORLD; 0: not known, and no bound.
    int world_size = 0;
    /// False: the DLL is only told its number, so that it knows it as a peer of others. It
    /// may run.
    bool asked = true;
};

/// A process that a rank is connected with and that was not among those asked about.
struct ForeignProcess {
    long pid = -1;     ///< -1: not known
    std::string host;  ///< empty: not known
};

struct HostedOperation {
    int queue = 0;  ///< mqs_op_class, or mqs_pending_collectives
    mqs_pending_operation operation{};
    /// All zero but struct_size if the DLL has no mqs_get_operation_details.
    mqs_operation_details details{};
    bool has_details = false;
    /// Collective operations: ranks in the communicator that its part waits for.
    std::vector<int> receives_from;
    std::vector<int> sends_to;
    /// The DLL is known to list such operations that do not exist.
    bool doubtful = false;
};

struct HostedWindow {
    mqs_window window{};  ///< name always terminated
    std::vector<mqs_window_peer> peers;
};

/// Whether the messages of the user were counted (mqs_setup_message_counts).
enum class Counted : std::uint8_t {
    No,          ///< what is listed is as the MPI library has it
    Incomplete,  ///< by a recorder, which has missed some
    Yes,         ///< by a recorder
};

struct HostedCommunicator {
    mqs_communicator communicator{};  ///< name always terminated
    mqs_comm_details details{};
    bool has_details = false;
    /// Numbers of processes, -1 for a foreign one; empty if the DLL does not tell.
    std::vector<int> group;
    std::vector<int> remote_group;
    /// There may be a hundred thousand, of half a kilobyte each: a deque grows
    /// without moving them.
    std::deque<HostedOperation> operations;
    Counted counted = Counted::No;
    std::vector<mqs_message_counts> message_counts;
    /// Queues for which the DLL has no information, by queue class.
    std::vector<int> unknown_queues;
};

/// What one rank's queues hold.
struct HostedQueues {
    std::vector<HostedCommunicator> communicators;
    std::vector<HostedWindow> windows;
    std::optional<std::uint64_t> progress_count;
    std::optional<std::uint64_t> incoming_count;
    std::vector<ForeignProcess> foreign;
    /// What the DLL has to say about this rank, one text each: queues that it
    /// could not read (they are in unknown_queues too), remarks.
    std::vector<std::string> problems;
};

struct HostOptions {
    bool show_internal = false;
    /// For one rank; a DLL that takes longer is killed.
    std::chrono::milliseconds patience = std::chrono::seconds(5);
    /// Of one rank; more is an error of that rank: a list without an end must not
    /// fill the memory.
    std::size_t max_operations = 2'000'000;
    /// Set images and processes up and ask nothing of the queues; the processes
    /// may run. The images then know all that the DLL looks up in them, and the
    /// ranks need not stand still for a search of debug information.
    bool set_up_only = false;
};

struct HostReport {
    std::string dll_version;
    /// Per process of the request, in its order; an error is that rank's alone.
    std::vector<Result<HostedQueues>> ranks;
    /// What the DLL printed, at most 4 KiB, for --verbose.
    std::string output;
};

/// Loads the DLL at `path` and asks it for the queues of each process that is to be asked;
/// the result of another one is an error. The processes must be stopped. A DLL of level 3 is told
/// the number of every process before it is asked about the first; one of level 2 only knows ranks
/// in the own MPI_COMM_WORLD of a process, which are made numbers here. Fails as a whole if the DLL
/// cannot be loaded, lacks a required function, or has another interface level or address width;
/// the message says which.
Result<HostReport> read_queues(const std::string& path,
                               std::span<const HostedProcess> processes,
                               const HostOptions& options);

}  // namespace mqinspect::mqs_host

/// The point-to-point queues of MPICH's device ch4, 3.3 to 4.0.2.
///
/// Active messages, which shared memory uses, and a network module that does
/// not match tags itself, are matched by MPICH: lists of posted receives and of
/// unexpected messages for each virtual interface (MPIDI_global.per_vci,
/// ch4_types.h), in the order of matching. Communicators of one process have a
/// list of sends and one of receives of their own (ch4_self.c); such a send is
/// a message that has arrived, too.
///
/// A network module that matches tags hands everything to its library. Receives
/// by libfabric are in the request pool, without source and tag; whatever else
/// is between processes of different nodes, and with UCX all of it, cannot be
/// seen: unexpected messages, and sends that MPICH's list of sends does not
/// hold. The queues then say NoInformation of the communicators that reach
/// beyond the node.
///
/// A receive from MPI_ANY_SOURCE has two requests, for shared memory and for
/// the network; the user knows the first, which is the one that is shown.
#pragma once

#include "mqs_dll/layout.h"
#include "mqs_dll/queue_builder.h"
#include "mqs_dll/snapshot.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Addresses of the MPIDI_per_vci_t that are in use. NoInformation where the
/// types do not tell.
Status find_interfaces(const Target& target,
                       const Layout& layout,
                       const Symbols& symbols,
                       Array<std::uint64_t>& interfaces);

class Ch4Queues {
public:
    /// Everything is borrowed. The communicators of the snapshot are complete.
    /// `pools`: how reading the request pool went.
    Ch4Queues(const Target& target,
              const Layout& layout,
              const Symbols& symbols,
              Snapshot& snapshot,
              Status pools);

    /// Fills the queues of sends, receives and unexpected messages. OutOfMemory
    /// is the only failure; what goes wrong with a queue stays in its status.
    Status read();

private:
    /// The first requests of an interface's lists.
    struct Lists {
        std::uint64_t posted = 0;
        std::uint64_t unexpected = 0;
    };

    Status find_lists();
    Status find_exported_lists();
    Status read_unexpected(OperationQueue& queue);
    Status read_senders_that_wait(const Array<std::uint32_t>& messages);
    Status read_posted(OperationQueue& queue);
    Status read_pool_receives(OperationQueue& queue);
    Status read_sends(OperationQueue& queue);
    Status find_destinations();
    Status self_list(std::uint64_t head, std::uint64_t& first) const;
    bool has_hidden_send() const;
    Status hide(OperationQueue& queue) const;

    const Target& target_;
    const Layout& layout_;
    const Symbols& symbols_;
    Snapshot& snapshot_;
    Status pools_;
    bool has_pool_;
    QueueBuilder builder_;
    Array<Lists> lists_;
};

}  // namespace mqinspect::dll

/// The conditions of calls that synchronize on a window (MPI 4.0, 12.5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/waits.h"

namespace mqinspect::analysis {

/// MPI_Win_fence and the constructors are collective operations and not here.
///
/// A lock waits for its holders. Who holds it is worked out from what all members
/// know: the target how many there are, each origin whether it has the lock, or has
/// asked for it and is not in the target's queue of waiters. Only where the numbers
/// agree is the answer certain. In MPICH the target must be in MPI for anything to
/// happen to its window, in any call: a target that computes is waited for, one that
/// waits itself is not in the way.
class WindowWaits {
public:
    /// Keeps references.
    WindowWaits(const JobIndex& index, const Matching& matching)
        : index_(index), matching_(matching) {}

    /// Empty: it can go on. All clauses must be met.
    std::vector<Clause> of_call(Node node, const model::Call& call, model::CallClass call_class);

    /// What a call of MPI_Wait or its kin waits for, of an operation with a request
    /// (MPI_Rput): the lock on the target, if it is missing, and the target's progress.
    /// nullopt: no window of the rank knows the request.
    std::optional<std::vector<Clause>> of_request(Node node,
                                                  const model::Call& call,
                                                  std::uint64_t request) const;

private:
    /// The call at hand.
    struct Subject {
        Node node = 0;
        const model::Call* call = nullptr;
        const model::Window* window = nullptr;
        model::CommunicatorId id;
    };
    struct Holders {
        std::vector<Node> nodes;
        bool certain = false;
    };
    enum class Holding { No, Perhaps, Yes };

    std::vector<Clause> posts(const Subject& subject) const;
    std::vector<Clause> counted_posts(const Subject& subject) const;
    std::vector<Clause> completions(const Subject& subject) const;
    void one_target(const Subject& subject, Node target, std::vector<Clause>& out) const;
    std::vector<Clause> lock_all(const Subject& subject) const;
    std::vector<Clause> awaited_lock_all(const Subject& subject) const;
    /// False: the rank is not in the target's queue.
    bool queued_lock(const Subject& subject, Node target, std::vector<Clause>& out) const;
    void add_holders(const Subject& subject,
                     Node target,
                     const model::Window& part,
                     std::vector<Clause>& out) const;
    void lock(const Subject& subject,
              Node target,
              model::LockType type,
              std::vector<Clause>& out) const;
    void progress(const Subject& subject, Node target, std::vector<Clause>& out) const;
    Holders holders(const Subject& subject, Node target, const model::Window& part) const;
    Holding holding(Node node, const model::Window& own, Node target) const;

    std::vector<Node> members(model::CommunicatorId id) const;
    /// They take locks on each other's windows at once.
    bool share_memory(const model::Window& window, Node left, Node right) const;
    /// A message of the library's, sent by one member to another on the window's
    /// communicator, that has not been received.
    bool has_unreceived(Node receiver, Node sender, model::CommunicatorId id) const;
    bool awaits_post_of(Node node, Node member, model::CommunicatorId id) const;

    const JobIndex& index_;
    const Matching& matching_;
};

}  // namespace mqinspect::analysis

/// Which messages under way meet which receives (MPI 4.0, 3.5).
///
/// A message and a receive belong together if communicator, source and tag agree;
/// messages of one sender on one communicator arrive in the order they were sent,
/// and each takes the first posted receive that it fits. Internal traffic of
/// collective operations has a context of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/job_index.h"

namespace mqinspect::analysis {

/// What a receive or probe asks for. What is not known counts as a wildcard: a
/// message that may match counts as available.
struct ReceiveEnvelope {
    model::CommunicatorId communicator;
    bool collective = false;
    std::optional<Node> source;  ///< empty: any
    std::optional<int> tag;      ///< empty: any
};

struct MessageEnvelope {
    model::CommunicatorId communicator;
    bool collective = false;
    Node source = 0;
    std::optional<int> tag;

    friend bool operator==(const MessageEnvelope&, const MessageEnvelope&) = default;
};

bool matches(const ReceiveEnvelope& receive, const MessageEnvelope& message);

/// The envelope of a receive operation, of a call that receives or probes.
ReceiveEnvelope receive_envelope(const JobIndex& index, const model::Operation& operation);
std::optional<ReceiveEnvelope> receive_envelope(const JobIndex& index,
                                                Node node,
                                                const model::Call& call);
/// Of a pending send or unexpected message; empty if its sender is not known.
std::optional<MessageEnvelope> message_envelope(const JobIndex& index,
                                                const model::Operation& operation);

/// Lets all sends that are under way arrive at once and says who meets whom.
/// Linear in operations.
class Matching {
public:
    explicit Matching(const JobIndex& index);

    /// A posted receive that a send under way will take.
    bool receive_is_met(const model::Operation& receive) const;
    /// A posted receive that a doubtful send would take. Precondition: it is not met.
    bool receive_may_be_met(const model::Operation& receive) const;
    /// A pending send that a posted receive, or the receive of a rank whose queues
    /// are not known, waits for; or that a matched receive is taking in.
    bool send_is_met(const model::Operation& send) const;
    /// A message for this envelope is at the rank, or under way to it and not for
    /// an earlier receive.
    bool message_available(Node receiver, const ReceiveEnvelope& wanted) const;
    /// A doubtful send would be such a message. Precondition: there is no other.
    bool message_may_be_available(Node receiver, const ReceiveEnvelope& wanted) const;
    /// The receiver has posted a receive for this message that no other one takes,
    /// or is taking it in.
    bool receive_posted(Node receiver, const MessageEnvelope& message) const;
    /// Sends that have not ended, by destination.
    std::span<const std::uint32_t> sends_to(Node receiver) const { return sends_[receiver]; }

private:
    void index_sends();
    void add_call_sends();
    void deliver(Node receiver);
    void doubt(Node receiver, const MessageEnvelope& message);
    bool met(const model::Operation& operation) const;

    const JobIndex& index_;
    CompressedRows sends_;
    std::vector<bool> met_;     // by operation
    std::vector<bool> doubts_;  // by operation: a doubtful send would take it
    // Blocking sends of ranks whose sends are not listed, by destination.
    std::unordered_map<Node, std::vector<MessageEnvelope>> call_sends_;
};

}  // namespace mqinspect::analysis

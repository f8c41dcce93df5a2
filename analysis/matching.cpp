#include "analysis/matching.h"

#include <algorithm>
#include <limits>

namespace mqinspect::analysis {

using model::Operation;
using model::OperationState;
using model::Queue;

namespace {

// One side of a match as a key; an empty source or tag is a wildcard.
struct Key {
    model::CommunicatorId communicator;
    bool collective = false;
    std::optional<Node> source;
    std::optional<int> tag;

    friend bool operator==(const Key&, const Key&) = default;
};

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio

struct HashKey {
    std::size_t operator()(const Key& key) const {
        std::uint64_t hash = static_cast<std::uint32_t>(key.communicator.value);
        const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * kFactor; };
        mix(key.collective ? 1 : 0);
        mix(key.source ? std::uint64_t{*key.source} + 1 : 0);
        mix(key.tag ? (std::uint64_t{1} << 32U) + static_cast<std::uint32_t>(*key.tag) : 0);
        return hash ^ (hash >> 32U);
    }
};

// Posted receives in order; finds the first that a message fits by looking at the
// four kinds of receive that could.
class PostedReceives {
public:
    void post(const ReceiveEnvelope& receive, std::uint32_t operation) {
        const Key key{receive.communicator, receive.collective, receive.source, receive.tag};
        rows_[key].entries.push_back({posted_++, operation});
    }

    std::optional<std::uint32_t> take(const MessageEnvelope& message) {
        Row* first = nullptr;
        for (const bool any_source : {false, true}) {
            for (const bool any_tag : {false, true}) {
                Key key{message.communicator, message.collective, message.source, message.tag};
                if (any_source) key.source.reset();
                if (any_tag) key.tag.reset();
                const auto found = rows_.find(key);
                if (found == rows_.end() || found->second.at_end()) continue;
                const bool earlier =
                    first == nullptr || found->second.head().order < first->head().order;
                if (earlier) first = &found->second;
            }
        }
        if (first == nullptr) return std::nullopt;
        return first->entries[first->next++].operation;
    }

private:
    struct Entry {
        std::size_t order;
        std::uint32_t operation;
    };
    struct Row {
        std::vector<Entry> entries;
        std::size_t next = 0;
        bool at_end() const { return next == entries.size(); }
        const Entry& head() const { return entries[next]; }
    };
    std::unordered_map<Key, Row, HashKey> rows_;
    std::size_t posted_ = 0;
};

constexpr std::uint32_t kCall = std::numeric_limits<std::uint32_t>::max();

bool is_pending(const Operation& operation, Queue queue) {
    return operation.queue == queue && operation.state == OperationState::Pending;
}

}  // namespace

bool matches(const ReceiveEnvelope& receive, const MessageEnvelope& message) {
    return receive.communicator == message.communicator &&
           receive.collective == message.collective &&
           (!receive.source || *receive.source == message.source) &&
           (!receive.tag || !message.tag || *receive.tag == *message.tag);
}

ReceiveEnvelope receive_envelope(const JobIndex& index, const Operation& operation) {
    ReceiveEnvelope envelope{operation.communicator, operation.collective, {}, {}};
    if (!operation.any_source) envelope.source = index.peer(operation);
    if (!operation.any_tag) envelope.tag = operation.tag;
    return envelope;
}

std::optional<ReceiveEnvelope> receive_envelope(const JobIndex& index,
                                                Node node,
                                                const model::Call& call) {
    if (!call.communicator || !call.source) return std::nullopt;
    if (call.source->kind == model::Peer::Kind::ProcNull) return std::nullopt;
    ReceiveEnvelope envelope{*call.communicator, false, {}, {}};
    if (call.source->kind == model::Peer::Kind::Rank) {
        envelope.source = index.peer(node, call.communicator, *call.source);
    }
    if (!call.any_tag) envelope.tag = call.receive_tag;
    return envelope;
}

std::optional<MessageEnvelope> message_envelope(const JobIndex& index, const Operation& operation) {
    const auto source =
        operation.queue == Queue::PendingSend ? index.node(operation.rank) : index.peer(operation);
    if (!source) return std::nullopt;
    return MessageEnvelope{operation.communicator, operation.collective, *source, operation.tag};
}

namespace {

// What the rank's blocking call receives, where its posted receives are not known.
std::optional<ReceiveEnvelope> hidden_receive(const JobIndex& index, Node node) {
    const model::Call* call = index.blocked_call(node);
    if (index.receives_known(node) || call == nullptr || !index.function(node)) return std::nullopt;
    using enum model::CallClass;
    const auto call_class = index.function(node)->call_class;
    const bool receives = call_class == Receive || call_class == Sendrecv;
    return receives ? receive_envelope(index, node, *call) : std::nullopt;
}

// What a rank has posted, and what has arrived there.
struct Inbox {
    PostedReceives posted;
    PostedReceives matched;
    PostedReceives probed;
    // What arrived already met no receive of its kind, so neither will the rest.
    std::unordered_map<Key, bool, HashKey> arrived;
};

Inbox inbox_of(const JobIndex& index, Node receiver) {
    Inbox inbox;
    for (const std::uint32_t i : index.operations_of(receiver)) {
        const Operation& operation = index.operation(i);
        if (operation.queue == Queue::PostedReceive) {
            const bool open = operation.state == OperationState::Pending;
            if (operation.state == OperationState::Complete) continue;
            (open ? inbox.posted : inbox.matched).post(receive_envelope(index, operation), i);
        } else if (operation.queue == Queue::UnexpectedMessage) {
            const auto message = message_envelope(index, operation);
            if (!message) continue;
            const Key key{
                message->communicator, message->collective, message->source, message->tag};
            if (operation.state == OperationState::Matched) {
                inbox.probed.post({key.communicator, key.collective, key.source, key.tag}, i);
            } else {
                inbox.arrived[key] = true;
            }
        }
    }
    if (const auto wanted = hidden_receive(index, receiver)) inbox.posted.post(*wanted, kCall);
    return inbox;
}

}  // namespace

Matching::Matching(const JobIndex& index)
    : index_(index),
      sends_(index.size()),
      met_(index.snapshot().operations.size()),
      doubts_(index.snapshot().operations.size()) {
    index_sends();
    add_call_sends();
    for (Node receiver = 0; receiver < index_.size(); ++receiver) {
        if (!sends_[receiver].empty() || call_sends_.count(receiver) > 0) deliver(receiver);
    }
}

void Matching::index_sends() {
    const auto& operations = index_.snapshot().operations;
    const auto each = [&](const auto& act) {
        for (std::uint32_t i = 0; i < operations.size(); ++i) {
            if (!is_pending(operations[i], Queue::PendingSend)) continue;
            if (const auto destination = index_.peer(operations[i])) act(*destination, i);
        }
    };
    each([&](Node destination, std::uint32_t) { sends_.count(destination); });
    sends_.start();
    each([&](Node destination, std::uint32_t i) { sends_.add(destination, i); });
}

// A debugger DLL that does not list blocking sends hides them, the call does not.
void Matching::add_call_sends() {
    for (Node node = 0; node < index_.size(); ++node) {
        const model::Call* call = index_.blocked_call(node);
        if (index_.sends_known(node) || call == nullptr || !index_.function(node)) continue;
        using enum model::CallClass;
        const auto call_class = index_.function(node)->call_class;
        const bool sends = call_class == Send || call_class == Sendrecv;
        if (!sends || !call->communicator || !call->destination) continue;
        const bool listed = std::ranges::any_of(call->operations, [&](std::size_t i) {
            const Operation* operation = index_.operation_of(node, i);
            return operation != nullptr && operation->queue == Queue::PendingSend;
        });
        if (listed || call->destination->kind != model::Peer::Kind::Rank) continue;
        const auto destination = index_.peer(node, call->communicator, *call->destination);
        if (!destination) continue;
        call_sends_[*destination].push_back({*call->communicator, false, node, call->send_tag});
    }
}

void Matching::deliver(Node receiver) {
    Inbox inbox = inbox_of(index_, receiver);
    for (const std::uint32_t send : sends_[receiver]) {
        const auto message = message_envelope(index_, index_.operation(send));
        if (!message) continue;
        if (index_.operation(send).doubtful) {
            doubt(receiver, *message);
            continue;
        }
        const Key key{message->communicator, message->collective, message->source, message->tag};
        if (inbox.matched.take(*message)) {
            met_[send] = true;
            continue;
        }
        // What a matched probe has taken waits until it is received.
        if (inbox.probed.take(*message) || inbox.arrived.count(key) > 0) continue;
        if (const auto receive = inbox.posted.take(*message)) {
            met_[send] = true;
            if (*receive != kCall) met_[*receive] = true;
        }
    }
    const auto call_sends = call_sends_.find(receiver);
    if (call_sends == call_sends_.end()) return;
    for (const MessageEnvelope& message : call_sends->second) {
        const auto receive = inbox.posted.take(message);
        if (receive && *receive != kCall) met_[*receive] = true;
    }
}

void Matching::doubt(Node receiver, const MessageEnvelope& message) {
    for (const std::uint32_t i : index_.operations_of(receiver)) {
        const Operation& operation = index_.operation(i);
        if (is_pending(operation, Queue::PostedReceive) &&
            matches(receive_envelope(index_, operation), message)) {
            doubts_[i] = true;
        }
    }
}

bool Matching::met(const Operation& operation) const {
    return met_[static_cast<std::size_t>(&operation - index_.snapshot().operations.data())];
}

bool Matching::receive_is_met(const Operation& receive) const {
    return receive.state != OperationState::Pending || met(receive);
}

bool Matching::receive_may_be_met(const Operation& receive) const {
    return doubts_[static_cast<std::size_t>(&receive - index_.snapshot().operations.data())];
}

bool Matching::send_is_met(const Operation& send) const {
    return send.state != OperationState::Pending || met(send);
}

bool Matching::message_available(Node receiver, const ReceiveEnvelope& wanted) const {
    const auto fits = [&](std::uint32_t i) {
        const auto message = message_envelope(index_, index_.operation(i));
        return message && matches(wanted, *message);
    };
    const auto& own = index_.operations_of(receiver);
    const bool arrived = std::any_of(own.begin(), own.end(), [&](std::uint32_t i) {
        return is_pending(index_.operation(i), Queue::UnexpectedMessage) && fits(i);
    });
    if (arrived) return true;
    const auto& sends = sends_[receiver];
    const bool under_way = std::any_of(sends.begin(), sends.end(), [&](std::uint32_t i) {
        return !met_[i] && !index_.operation(i).doubtful && fits(i);
    });
    if (under_way) return true;
    const auto call_sends = call_sends_.find(receiver);
    return call_sends != call_sends_.end() &&
           std::ranges::any_of(call_sends->second, [&](const MessageEnvelope& message) {
               return matches(wanted, message);
           });
}

bool Matching::message_may_be_available(Node receiver, const ReceiveEnvelope& wanted) const {
    const auto& sends = sends_[receiver];
    return std::any_of(sends.begin(), sends.end(), [&](std::uint32_t i) {
        if (!index_.operation(i).doubtful) return false;
        const auto message = message_envelope(index_, index_.operation(i));
        return message && matches(wanted, *message);
    });
}

bool Matching::receive_posted(Node receiver, const MessageEnvelope& message) const {
    const auto& own = index_.operations_of(receiver);
    const bool posted = std::any_of(own.begin(), own.end(), [&](std::uint32_t i) {
        const Operation& operation = index_.operation(i);
        return operation.queue == Queue::PostedReceive && !met_[i] &&
               operation.state != OperationState::Complete &&
               matches(receive_envelope(index_, operation), message);
    });
    if (posted) return true;
    const auto wanted = hidden_receive(index_, receiver);
    return wanted && matches(*wanted, message);
}

}  // namespace mqinspect::analysis

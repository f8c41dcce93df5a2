#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/datatypes/checked.h"
#include "analysis/pairing/matcher.h"

namespace mqinspect::analysis {

using model::ProcessId;

OperationIndex Matcher::allocate(const Operation& operation) {
    if (operation.origin >= 0) ++origins_[static_cast<std::size_t>(operation.origin)].uses;
    if (free_operations_.empty()) {
        operations_.push_back(operation);
        return static_cast<OperationIndex>(operations_.size() - 1);
    }
    const OperationIndex index = free_operations_.back();
    free_operations_.pop_back();
    operations_[index] = operation;
    return index;
}

void Matcher::release(OperationIndex index) {
    operations_[index].waiter = ~std::uint32_t{0};
    operations_[index].site.process = ProcessId{-1};
    drop_origin(std::exchange(operations_[index].origin, -1));
    free_operations_.push_back(index);
}

// With one use, that of the caller.
std::int32_t Matcher::add_origin(const EventSite& site) {
    if (free_origins_.empty()) {
        origins_.push_back({site, 1});
        return static_cast<std::int32_t>(origins_.size() - 1);
    }
    const std::int32_t origin = free_origins_.back();
    free_origins_.pop_back();
    origins_[static_cast<std::size_t>(origin)] = {site, 1};
    return origin;
}

void Matcher::drop_origin(std::int32_t origin) {
    if (origin < 0) return;
    if (--origins_[static_cast<std::size_t>(origin)].uses == 0) free_origins_.push_back(origin);
}

std::uint64_t Matcher::channel_key(const Operation& operation) const {
    const ProcessId source = operation.is_send ? operation.site.process : operation.peer;
    const ProcessId destination = operation.is_send ? operation.peer : operation.site.process;
    return (operation.partitioned ? std::uint64_t{1} << 63 : 0) |
           (static_cast<std::uint64_t>(operation.communicator.value) & 0x3f'ffff) << 40 |
           static_cast<std::uint64_t>(source.value) << 20 |
           static_cast<std::uint64_t>(destination.value);
}

void Matcher::post(OperationIndex index) {
    Operation& posted = operations_[index];
    Channel& channel = channels_[channel_key(posted)];
    if (posted.is_send) {
        for (OperationIndex at = channel.first_receive; at != kNoOperation;
             at = operations_[at].next) {
            const std::int64_t tag = operations_[at].tag;
            if (tag == posted.tag || tag == model::kAnyTag) {
                unlink(at);
                return match(index, at);
            }
        }
        append(channel.first_send, channel.last_send, index);
        if (track_waits_) unexpected_.push_back(posted.peer);
        return;
    }
    for (OperationIndex at = channel.first_send; at != kNoOperation; at = operations_[at].next) {
        if (posted.tag == operations_[at].tag || posted.tag == model::kAnyTag) {
            unlink(at);
            return match(at, index);
        }
    }
    append(channel.first_receive, channel.last_receive, index);
}

void Matcher::append(OperationIndex& first, OperationIndex& last, OperationIndex index) {
    operations_[index].next = kNoOperation;
    operations_[index].previous = last;
    if (last == kNoOperation) {
        first = index;
    } else {
        operations_[last].next = index;
    }
    last = index;
}

void Matcher::unlink(OperationIndex index) {
    Operation& gone = operations_[index];
    Channel& channel = *channels_.find(channel_key(gone));
    OperationIndex& first = gone.is_send ? channel.first_send : channel.first_receive;
    OperationIndex& last = gone.is_send ? channel.last_send : channel.last_receive;
    (gone.previous == kNoOperation ? first : operations_[gone.previous].next) = gone.next;
    (gone.next == kNoOperation ? last : operations_[gone.next].previous) = gone.previous;
    gone.next = gone.previous = kNoOperation;
}

void Matcher::match(OperationIndex send_index, OperationIndex receive_index) {
    Operation& send = operations_[send_index];
    Operation& receive = operations_[receive_index];
    send.matched = receive.matched = true;
    if (send.tested) --tested_sends_[send.site.process.index()];
    send.partner = receive_index;
    receive.partner = send_index;
    if (!forced_.empty()) note_forced(receive.site);
    if (send.waiter != ~std::uint32_t{0}) woken_.push_back(send.waiter);
    if (receive.waiter != ~std::uint32_t{0}) woken_.push_back(receive.waiter);
    if (visitor_ != nullptr && send.synchronous) {
        visitor_->on_met(send, receive);
        if (send.completed) visitor_->on_acknowledged(send_index, send);
    }
    if (receive.completed) deliver(receive_index);
}

// The pair is told of; what has completed is forgotten.
void Matcher::deliver(OperationIndex receive_index) {
    Operation& receive = operations_[receive_index];
    const OperationIndex send_index = receive.partner;
    Operation& send = operations_[send_index];
    if (visitor_ != nullptr) visitor_->on_pair(send, receive);
    send.delivered = receive.delivered = true;
    if (send.completed) release(send_index);
    release(receive_index);
}

void Matcher::wait_for(OperationIndex index) {
    if (!track_waits_ || index == kNoOperation) return;
    const Operation& operation = operations_[index];
    // What was matched and delivered at once is no more.
    if (operation.site.process.value < 0 || operation.matched || operation.buffered) {
        waits_.satisfied = true;
        return;
    }
    waits_.operations.push_back(index);
}

bool Matcher::probe(ProcessId process,
                    std::int64_t communicator,
                    std::int64_t source,
                    std::int64_t tag,
                    Waits& waits) const {
    if (!members_.valid(communicator)) return false;
    waits.clear();
    waits.probe = true;
    waits.communicator = model::CommunicatorId{static_cast<int>(communicator)};
    waits.probed = ProcessId{-1};
    waits.tag = tag;
    if (source == model::kAnySource) return true;
    const auto peer = members_.process_of(waits.communicator, process, source);
    if (peer) waits.probed = *peer;
    return peer.has_value();
}

OperationIndex Matcher::first_send(const Operation& receive, std::int64_t tag) {
    const Channel* const channel = channels_.find(channel_key(receive));
    OperationIndex at = channel == nullptr ? kNoOperation : channel->first_send;
    while (at != kNoOperation && tag != model::kAnyTag && operations_[at].tag != tag)
        at = operations_[at].next;
    return at;
}

bool Matcher::has_message(ProcessId process, const Waits& probe) {
    Operation receive;
    receive.site.process = process;
    receive.communicator = probe.communicator;
    const auto sees = [&](ProcessId source) {
        receive.peer = source;
        return first_send(receive, probe.tag) != kNoOperation;
    };
    if (probe.probed.value >= 0) return sees(probe.probed);
    for (std::uint32_t member = 0; member < members_.size(probe.communicator); ++member) {
        const ProcessId source = members_.process(probe.communicator, member);
        if (source.value >= 0 && sees(source)) return true;
    }
    return false;
}

bool Matcher::does_not_fit(const Operation& send, const Operation& receive) const {
    const auto bytes = [&](const Operation& operation) -> std::optional<std::int64_t> {
        if (operation.datatype.value < 0 ||
            operation.datatype.index() >= execution_.datatypes.size())
            return std::nullopt;
        return checked_product(execution_.datatypes[operation.datatype.index()].size,
                               operation.count);
    };
    const auto sent = bytes(send);
    const auto room = bytes(receive);
    return sent && room && *sent > *room;
}

Matcher::Candidates Matcher::candidates_for(const Operation& wildcard, bool truncated) {
    Candidates result;
    Operation receive = wildcard;
    for (std::uint32_t member = 0; member < members_.size(receive.communicator); ++member) {
        receive.peer = members_.process(receive.communicator, member);
        if (receive.peer.value < 0) continue;
        const OperationIndex at = first_send(receive, receive.tag);
        if (at == kNoOperation) continue;
        const Operation& send = operations_[at];
        if (truncated && !does_not_fit(send, receive)) continue;
        ++result.sources;
        if (result.first == kNoOperation) {
            result.first = at;
            continue;
        }
        const Operation& first = operations_[result.first];
        result.alike = result.alike && first.datatype == send.datatype && first.count == send.count;
        if (send.site.time_ns < first.site.time_ns) result.first = at;
    }
    return result;
}

bool Matcher::match_unresolved() {
    bool any = false;
    std::vector<OperationIndex> left;
    const std::vector<OperationIndex> unresolved = std::exchange(unresolved_, {});
    for (const OperationIndex index : unresolved) {
        Operation& receive = operations_[index];
        Candidates candidates;
        if (std::ranges::binary_search(truncated_, receive.site.process))
            candidates = candidates_for(receive, true);
        receive.too_short = candidates.first != kNoOperation;
        if (!receive.too_short) candidates = candidates_for(receive, false);
        if (candidates.first == kNoOperation) {
            left.push_back(index);
            continue;
        }
        any = true;
        receive.peer = operations_[candidates.first].site.process;
        receive.inferred = true;
        receive.alike = candidates.sources > 1 && candidates.alike;
        receive.ambiguous = candidates.sources > 1 && !candidates.alike;
        unlink(candidates.first);
        match(candidates.first, index);
    }
    unresolved_ = std::move(left);
    return any;
}

std::vector<OperationIndex> Matcher::open_operations() const {
    std::vector<OperationIndex> open;
    for (OperationIndex index = 0; index < operations_.size(); ++index) {
        if (operations_[index].site.process.value >= 0 && !operations_[index].matched) {
            open.push_back(index);
        }
    }
    std::sort(open.begin(), open.end(), [&](OperationIndex left, OperationIndex right) {
        const EventSite& one = operations_[left].site;
        const EventSite& two = operations_[right].site;
        return std::tie(one.time_ns, one.process, one.event, left) <
               std::tie(two.time_ns, two.process, two.event, right);
    });
    return open;
}

void Matcher::deliver_rest() {
    for (OperationIndex index = 0; index < operations_.size(); ++index) {
        Operation& operation = operations_[index];
        if (operation.site.process.value < 0 || operation.is_send || !operation.matched) continue;
        if (!operation.delivered) deliver(index);
    }
    for (WaveIndex index = 0; index < waves_.size(); ++index) {
        const Wave& wave = waves_[index];
        if (!wave.whole) continue;
        if (visitor_ != nullptr && !wave.disagreeing) visitor_->on_wave(wave);
        drop_wave(index);
    }
}

}  // namespace mqinspect::analysis

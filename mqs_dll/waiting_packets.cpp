#include "mqs_dll/waiting_packets.h"

#include <algorithm>

namespace mqinspect::dll {
namespace {

bool is_known(const Layout& layout) {
    return layout.dev_pending_pkt >= 0 && layout.dev_iov >= 0 && layout.eager_type >= 0 &&
           layout.eager_match >= 0 && layout.eager_data_sz >= 0 && layout.request_ch >= 0 &&
           layout.channel_vc >= 0;
}

/// The packets of MPIDI_CH3_Pkt_type_t that carry a message of a blocking call.
enum class Packet { None, Eager, EagerShort, Ready };

Packet packet_of(const Layout& layout, std::int32_t type) {
    // Builds without short eager packets lack their enumerator, so the later ones move up.
    const bool has_short = layout.eager_short_data_sz >= 0;
    if (type == 0) return Packet::Eager;
    if (has_short && type == 1) return Packet::EagerShort;
    return type == (has_short ? 4 : 3) ? Packet::Ready : Packet::None;
}

}  // namespace

Status read_waiting_packet(const Target& target,
                           const Layout& layout,
                           const CommunicatorTable& communicators,
                           Request& request) {
    if (!is_known(layout)) return Status::Ok;
    const int packet_offset = layout.request_dev + layout.dev_pending_pkt;
    const int extent = 8 + std::max({layout.eager_type,
                                     layout.eager_match + layout.match_parts + 8,
                                     layout.eager_data_sz,
                                     layout.eager_short_data_sz});
    const std::uint64_t packet = request.address + static_cast<std::uint64_t>(packet_offset);
    const auto field = [&](int first, int second) {
        return request.address + static_cast<std::uint64_t>(first) +
               static_cast<std::uint64_t>(second);
    };
    std::uint64_t connection = 0;
    std::uint64_t to_send = 0;
    // Once its header is sent, what the packet held is gone.
    if (!ok(target.read_pointer(field(layout.request_dev, layout.dev_iov), to_send)) ||
        to_send != packet ||
        !ok(target.read_pointer(field(layout.request_ch, layout.channel_vc), connection))) {
        return Status::Ok;
    }
    Array<unsigned char> bytes;
    const Status status = target.read(packet, static_cast<std::size_t>(extent), bytes);
    if (!ok(status)) return status == Status::OutOfMemory ? status : Status::Ok;

    const Packet kind = packet_of(layout, target.int_at(bytes.data() + layout.eager_type));
    if (kind == Packet::None) return Status::Ok;
    const unsigned char* parts = bytes.data() + layout.eager_match + layout.match_parts;
    const auto context = static_cast<std::uint32_t>(
        target.unsigned_at(parts + layout.parts_context_id, layout.context_bytes));
    const std::int32_t receiver = communicators.ranks().process_behind(target, connection);
    const std::uint32_t index = communicators.sending(context, receiver);
    if (index == CommunicatorTable::kMissing) return Status::Ok;
    request.comm = communicators[index].address;
    request.rank = communicators.ranks().rank_of(communicators[index].peers, receiver);
    request.context = context;
    request.tag = target.int_at(parts + layout.parts_tag);
    const int size_field =
        kind == Packet::EagerShort ? layout.eager_short_data_sz : layout.eager_data_sz;
    request.message_bytes = target.signed_at(bytes.data() + size_field, layout.pointer_size);
    if (request.message_bytes < 0) request.message_bytes = -1;
    request.count = -1;
    request.datatype = 0;
    request.buffer = 0;
    request.type = kind == Packet::Ready ? RequestType::ReadySend : RequestType::Send;
    request.from_packet = true;
    return Status::Ok;
}

}  // namespace mqinspect::dll

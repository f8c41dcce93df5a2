#include "mqs_dll/ch3_requests.h"

#include <algorithm>
#include <initializer_list>

namespace mqinspect::dll {
namespace {

/// MPIDI_REQUEST_*_MSG, bits 0 and 1 of the state word (mpidimpl.h).
std::uint8_t protocol_of(std::uint32_t state) {
    switch (state & 3) {
        case 1:
            return mqs_protocol_eager;
        case 2:
            return mqs_protocol_rendezvous;
        case 3:
            return mqs_protocol_self;
        default:
            return mqs_protocol_unknown;
    }
}

/// MPIDI_REQUEST_TYPE_*, bits 4 to 9 of the state word.
RequestType type_of(std::uint32_t state) {
    switch (state >> 4 & 0x3f) {
        case 0:
            return RequestType::Receive;
        case 1:
            return RequestType::Send;
        case 2:
            return RequestType::ReadySend;
        case 3:
            return RequestType::SynchronousSend;
        case 4:
            return RequestType::BufferedSend;
        default:
            return RequestType::Other;
    }
}

}  // namespace

void decode_ch3(const RequestBytes& bytes, Request& request) {
    const Layout& layout = bytes.layout();
    const Target& target = bytes.target();
    const unsigned char* parts =
        bytes.at(layout.request_dev + layout.dev_match + layout.match_parts);
    request.tag = target.int_at(parts + layout.parts_tag);
    request.rank =
        static_cast<std::int32_t>(target.signed_at(parts + layout.parts_rank, layout.rank_bytes));
    request.context = static_cast<std::uint32_t>(
        target.unsigned_at(parts + layout.parts_context_id, layout.parts_context_bytes));
    request.buffer = bytes.pointer(bytes.device(layout.dev_user_buf));
    request.count = bytes.aint(bytes.device(layout.dev_user_count));
    request.datatype = bytes.word(bytes.device(layout.dev_datatype), 0);
    request.temporary = bytes.pointer(bytes.device(layout.dev_tmpbuf));
    request.rma_target = bytes.pointer(bytes.device(layout.dev_rma_target));
    request.rma_request = bytes.word(bytes.device(layout.dev_request_handle), 0);
    const std::uint32_t state = bytes.word(bytes.device(layout.dev_state), 0);
    request.type = type_of(state);
    request.protocol = protocol_of(state);
    request.synchronous = (state >> 3 & 1) != 0 || request.protocol == mqs_protocol_rendezvous ||
                          request.protocol == mqs_protocol_self;
    if (request.message_bytes < 0 && request.protocol != mqs_protocol_self) {
        request.message_bytes = bytes.aint(bytes.device(layout.dev_recv_data_sz));
    }
}

int ch3_request_extent(const Layout& layout) {
    const int parts = layout.dev_match + layout.match_parts +
                      std::max({layout.parts_tag, layout.parts_rank, layout.parts_context_id});
    return std::max({parts,
                     layout.dev_user_buf,
                     layout.dev_user_count,
                     layout.dev_datatype,
                     layout.dev_tmpbuf,
                     layout.dev_rma_target,
                     layout.dev_request_handle,
                     layout.dev_recv_data_sz,
                     layout.dev_state});
}

}  // namespace mqinspect::dll

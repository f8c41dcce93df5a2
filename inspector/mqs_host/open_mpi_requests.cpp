#include "inspector/mqs_host/open_mpi_requests.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace mqinspect::mqs_host {

namespace {

using target::Address;

constexpr std::uint64_t kMaxBlocks = 100'000;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxObjectBytes = 65536;
constexpr std::uint64_t kMaxAlignment = 4096;
constexpr std::int32_t kActive = 2;      // OMPI_REQUEST_ACTIVE
constexpr std::int32_t kAnyTag = -1;     // of a receive without a message: no tag yet
constexpr std::int32_t kFirstTag = -10;  // MCA_COLL_BASE_TAG_ALLGATHER, and downwards

Result<std::uint64_t> offset_of(const target::DebugSymbols& view,
                                std::string_view type,
                                std::string_view field) {
    const target::TypeLayout* layout = view.find_type(type);
    const std::int64_t offset = layout == nullptr ? -1 : layout->offset_of(field);
    if (offset < 0) {
        return Error{ErrorCode::MissingDebugInfo, fmt::format("no field {}.{}", type, field)};
    }
    return static_cast<std::uint64_t>(offset);
}

Result<std::uint64_t> size_of(const target::DebugSymbols& view, std::string_view type) {
    const target::TypeLayout* layout = view.find_type(type);
    if (layout == nullptr) {
        return Error{ErrorCode::MissingDebugInfo, fmt::format("no type {}", type)};
    }
    return layout->size;
}

std::uint64_t align(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// Where a request has what, in bytes; -1: not known.
struct RequestFields {
    std::int64_t state = -1, status_tag = -1, pml_completed = -1, communicator = -1, peer = -1,
                 tag = -1;

    explicit RequestFields(const target::DebugSymbols& view) {
        const auto of = [&](std::string_view type, std::string_view field) {
            const target::TypeLayout* layout = view.find_type(type);
            return layout == nullptr ? -1 : layout->offset_of(field);
        };
        const std::int64_t inner = of("mca_pml_base_request_t", "req_ompi");
        const std::int64_t status = of("ompi_request_t", "req_status");
        const std::int64_t status_field = of("ompi_status_public_t", "MPI_TAG");
        state = of("ompi_request_t", "req_state");
        if (inner < 0 || status < 0 || status_field < 0 || state < 0) return;
        state += inner;
        status_tag = inner + status + status_field;
        pml_completed = of("mca_pml_base_request_t", "req_pml_complete");
        communicator = of("mca_pml_base_request_t", "req_comm");
        peer = of("mca_pml_base_request_t", "req_peer");
        tag = of("mca_pml_base_request_t", "req_tag");
    }
    bool known(std::uint64_t stride) const {
        const auto in = [&](std::int64_t offset, std::uint64_t bytes) {
            return offset >= 0 && static_cast<std::uint64_t>(offset) + bytes <= stride;
        };
        return in(state, 4) && in(status_tag, 4) && in(pml_completed, 4) && in(communicator, 8) &&
               in(peer, 4) && in(tag, 4);
    }
};

template <class T>
T value_at(const std::byte* object, std::int64_t offset) {
    T value{};
    std::memcpy(&value, object + offset, sizeof value);
    return value;
}

/// One opal_free_list_t: blocks of equal objects (opal_free_list_grow_st).
class FreeList {
public:
    FreeList(const target::DebugSymbols& view, const target::Memory& memory, bool sends)
        : view_(view), memory_(memory), fields_(view), sends_(sends) {}

    Result<Done> open(Address list);
    Result<Done> survey(RequestSurvey& result);

private:
    Result<std::uint64_t> size_field(Address list, std::string_view field) const {
        const std::uint64_t offset = TRY(offset_of(view_, "opal_free_list_t", field));
        return target::read_value<std::uint64_t>(memory_, list + offset);
    }
    Result<Done> read_sizes(Address list);
    Result<Done> survey_block(std::uint64_t block, std::uint64_t objects, RequestSurvey& result);
    void take(std::uint64_t address, const std::byte* object, RequestSurvey& result) const;

    const target::DebugSymbols& view_;
    const target::Memory& memory_;
    RequestFields fields_;
    bool sends_;
    std::uint64_t stride_ = 0;
    std::uint64_t alignment_ = 0;
    std::uint64_t first_objects_ = 0;
    std::uint64_t objects_ = 0;
    std::uint64_t header_ = 0;
    std::uint64_t next_ = 0;
    std::uint64_t sentinel_ = 0;
    std::uint64_t sequence_ = 0;
    std::uint64_t bytes_ = 0;
};

Result<Done> FreeList::open(Address list) {
    TRY(read_sizes(list));
    header_ = TRY(size_of(view_, "opal_free_list_item_t"));
    next_ = TRY(offset_of(view_, "opal_list_item_t", "opal_list_next"));
    sequence_ = TRY(offset_of(view_, "mca_pml_base_request_t", "req_sequence"));
    if (sequence_ + sizeof(std::uint64_t) > stride_) {
        return Error{ErrorCode::CorruptData, "requests that are too small"};
    }
    sentinel_ = to_integer(list) + TRY(offset_of(view_, "opal_free_list_t", "fl_allocations")) +
                TRY(offset_of(view_, "opal_list_t", "opal_list_sentinel"));
    return Done{};
}

Result<Done> FreeList::read_sizes(Address list) {
    const std::uint64_t frag = TRY(size_field(list, "fl_frag_size"));
    alignment_ = TRY(size_field(list, "fl_frag_alignment"));
    objects_ = TRY(size_field(list, "fl_num_per_alloc"));
    const std::uint64_t allocated = TRY(size_field(list, "fl_num_allocated"));
    if (alignment_ == 0 || alignment_ > kMaxAlignment || frag == 0 || frag > kMaxObjectBytes ||
        objects_ == 0 || objects_ > kMaxBytes || allocated > kMaxBytes) {
        return Error{ErrorCode::CorruptData, "a list of requests that cannot be"};
    }
    stride_ = align(frag, alignment_);
    // The first block may be smaller than the others.
    first_objects_ = allocated <= objects_ ? allocated : allocated % objects_;
    if (first_objects_ == 0) first_objects_ = objects_;
    return Done{};
}

void FreeList::take(std::uint64_t address, const std::byte* object, RequestSurvey& result) const {
    InternalRequest request;
    request.tag = value_at<std::int32_t>(object, fields_.tag);
    const bool under_way = value_at<std::int32_t>(object, fields_.state) == kActive &&
                           value_at<std::int32_t>(object, fields_.pml_completed) == 0;
    if (!under_way || request.tag > kFirstTag) return;
    request.send = sends_;
    request.address = address;
    request.communicator = value_at<std::uint64_t>(object, fields_.communicator);
    request.peer = value_at<std::int32_t>(object, fields_.peer);
    request.matched = !sends_ && value_at<std::int32_t>(object, fields_.status_tag) != kAnyTag;
    result.internal.push_back(request);
}

Result<Done> FreeList::survey_block(std::uint64_t block,
                                    std::uint64_t objects,
                                    RequestSurvey& result) {
    std::vector<std::byte> content(objects * stride_);
    bytes_ += content.size();
    if (bytes_ > kMaxBytes) return Error{ErrorCode::CorruptData, "too many requests"};
    const std::uint64_t first = align(block + header_, alignment_);
    TRY(memory_.read(Address{first}, content));
    for (std::uint64_t i = 0; i < objects; ++i) {
        const std::byte* object = content.data() + i * stride_;
        const auto number = value_at<std::uint64_t>(object, static_cast<std::int64_t>(sequence_));
        result.fingerprint = (result.fingerprint ^ number) * 0x100000001b3U;
        if (result.internal_known) take(first + i * stride_, object, result);
    }
    return Done{};
}

Result<Done> FreeList::survey(RequestSurvey& result) {
    result.internal_known = result.internal_known && fields_.known(stride_);
    std::uint64_t objects = first_objects_;
    auto block = TRY(target::read_value<std::uint64_t>(memory_, Address{sentinel_} + next_));
    for (std::uint64_t count = 0; block != sentinel_; ++count) {
        if (count == kMaxBlocks) return Error{ErrorCode::CorruptData, "a list without an end"};
        TRY(survey_block(block, objects, result));
        objects = objects_;
        block = TRY(target::read_value<std::uint64_t>(memory_, Address{block} + next_));
    }
    return Done{};
}

}  // namespace

Result<RequestSurvey> survey_requests(const target::DebugSymbols& view,
                                      const target::Memory& memory) {
    RequestSurvey result;
    result.fingerprint = 0xcbf29ce484222325U;
    result.internal_known = true;
    for (const bool sends : {true, false}) {
        const char* name = sends ? "mca_pml_base_send_requests" : "mca_pml_base_recv_requests";
        const auto symbol = view.find_symbol(name);
        if (!symbol) return Error{ErrorCode::MissingDebugInfo, fmt::format("no symbol {}", name)};
        FreeList list(view, memory, sends);
        TRY(list.open(*symbol));
        TRY(list.survey(result));
    }
    if (!result.internal_known) result.internal.clear();
    return result;
}

HostedOperation hosted_message(const InternalRequest& request) {
    HostedOperation hosted;
    hosted.queue = request.send ? mqs_pending_sends : mqs_pending_receives;
    mqs_pending_operation& operation = hosted.operation;
    operation.status = request.matched ? mqs_st_matched : mqs_st_pending;
    operation.desired_local_rank = request.peer;
    operation.desired_global_rank = -1;
    operation.desired_tag = -std::int64_t{request.tag};
    operation.desired_length = -1;
    operation.actual_local_rank = request.matched ? request.peer : -1;
    operation.actual_global_rank = -1;
    operation.actual_tag = request.matched ? -std::int64_t{request.tag} : -1;
    operation.actual_length = -1;
    hosted.details.struct_size = sizeof hosted.details;
    hosted.details.request_address = request.address;
    hosted.details.collective = 1;
    hosted.details.kind = request.send ? mqs_op_send : mqs_op_receive;
    hosted.details.count = -1;
    hosted.details.sequence = -1;
    hosted.has_details = true;
    return hosted;
}

}  // namespace mqinspect::mqs_host

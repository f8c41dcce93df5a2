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

/// One opal_free_list_t: blocks of equal objects (opal_free_list_grow_st).
class FreeList {
public:
    FreeList(const target::DebugSymbols& view, const target::Memory& memory)
        : view_(view), memory_(memory) {}

    Result<Done> open(Address list);
    /// Mixes the numbers of all objects into `hash`.
    Result<Done> mix(std::uint64_t& hash);

private:
    Result<std::uint64_t> size_field(Address list, std::string_view field) const {
        const std::uint64_t offset = TRY(offset_of(view_, "opal_free_list_t", field));
        return target::read_value<std::uint64_t>(memory_, list + offset);
    }
    Result<Done> read_sizes(Address list);
    Result<Done> mix_block(std::uint64_t block, std::uint64_t objects, std::uint64_t& hash);

    const target::DebugSymbols& view_;
    const target::Memory& memory_;
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

Result<Done> FreeList::mix_block(std::uint64_t block, std::uint64_t objects, std::uint64_t& hash) {
    std::vector<std::byte> content(objects * stride_);
    bytes_ += content.size();
    if (bytes_ > kMaxBytes) return Error{ErrorCode::CorruptData, "too many requests"};
    TRY(memory_.read(Address{align(block + header_, alignment_)}, content));
    for (std::uint64_t i = 0; i < objects; ++i) {
        std::uint64_t number = 0;
        std::memcpy(&number, content.data() + i * stride_ + sequence_, sizeof number);
        hash = (hash ^ number) * 0x100000001b3U;
    }
    return Done{};
}

Result<Done> FreeList::mix(std::uint64_t& hash) {
    std::uint64_t objects = first_objects_;
    auto block = TRY(target::read_value<std::uint64_t>(memory_, Address{sentinel_} + next_));
    for (std::uint64_t count = 0; block != sentinel_; ++count) {
        if (count == kMaxBlocks) return Error{ErrorCode::CorruptData, "a list without an end"};
        TRY(mix_block(block, objects, hash));
        objects = objects_;
        block = TRY(target::read_value<std::uint64_t>(memory_, Address{block} + next_));
    }
    return Done{};
}

}  // namespace

Result<std::uint64_t> request_fingerprint(const target::DebugSymbols& view,
                                          const target::Memory& memory) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char* name : {"mca_pml_base_send_requests", "mca_pml_base_recv_requests"}) {
        const auto symbol = view.find_symbol(name);
        if (!symbol) return Error{ErrorCode::MissingDebugInfo, fmt::format("no symbol {}", name)};
        FreeList list(view, memory);
        TRY(list.open(*symbol));
        TRY(list.mix(hash));
    }
    return hash;
}

}  // namespace mqinspect::mqs_host

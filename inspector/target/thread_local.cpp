#include "inspector/target/thread_local.h"

#include <string>
#include <string_view>

namespace mqinspect::target {
namespace {

constexpr int kMostModules = 65536;
/// Of link.h's link_map and r_debug, which are part of the platform's interface.
constexpr std::uint64_t kFirstMap = 8;
constexpr std::uint64_t kNextMap = 24;

/// A member as libthread_db is told of it: bits of an element, elements, offset.
struct Member {
    std::uint32_t bits = 0;
    std::uint32_t elements = 0;
    std::uint32_t offset = 0;
};

Result<Member> member(const ProcessView& view, const Memory& memory, std::string_view name) {
    const auto symbol = view.find_symbol("_thread_db_" + std::string(name));
    if (!symbol) {
        return Error{ErrorCode::MissingDebugInfo,
                     "thread-local: the C library does not say where it is"};
    }
    return read_value<Member>(memory, *symbol);
}

/// The loader's entry of the module.
Result<Address> link_map_of(const ProcessView& view, const Memory& memory, const Module& module) {
    const auto debug = view.find_symbol("_r_debug");
    if (!debug)
        return Error{ErrorCode::MissingDebugInfo, "thread-local: there is no list of files"};
    auto map = TRY(read_value<std::uint64_t>(memory, *debug + kFirstMap));
    for (int count = 0; map != 0 && count < kMostModules; ++count) {
        const Address entry{map};
        if (TRY(read_value<std::uint64_t>(memory, entry)) == module.bias) return entry;
        map = TRY(read_value<std::uint64_t>(memory, entry + kNextMap));
    }
    return Error{ErrorCode::BadAddress, "thread-local: its file is not in the loader's list"};
}

/// The thread's vector of blocks, and the number of the module in it.
struct Place {
    std::uint64_t blocks = 0;
    std::uint64_t id = 0;
};

Result<Place> place_of(const ProcessView& view,
                       const Memory& memory,
                       const Module& module,
                       std::uint64_t thread_pointer) {
    const Member number = TRY(member(view, memory, "link_map_l_tls_modid"));
    const Member vector = TRY(member(view, memory, "pthread_dtvp"));
    const Address map = TRY(link_map_of(view, memory, module));
    Place place;
    place.id = TRY(read_value<std::uint64_t>(memory, map + number.offset));
    place.blocks = TRY(read_value<std::uint64_t>(memory, Address{thread_pointer} + vector.offset));
    return place;
}

}  // namespace

Result<std::uint64_t> thread_local_address(const ProcessView& view,
                                           const Memory& memory,
                                           const Module& module,
                                           std::uint64_t thread_pointer,
                                           std::uint64_t offset) {
    const Place place = TRY(place_of(view, memory, module, thread_pointer));
    const Member block = TRY(member(view, memory, "dtv_dtv"));
    const Member pointer = TRY(member(view, memory, "dtv_t_pointer_val"));
    const Member count = TRY(member(view, memory, "dtv_t_counter"));
    const Error unused{ErrorCode::BadAddress, "thread-local: the thread has not used it yet"};
    // The element before the first one says how many there are.
    const std::uint64_t stride = block.bits / 8;
    const Address before{place.blocks - stride + count.offset};
    const auto length = TRY(read_value<std::uint64_t>(memory, before));
    if (place.id == 0 || place.id > length || place.id >= kMostModules) return unused;
    const Address element{place.blocks + block.offset + place.id * stride + pointer.offset};
    const auto start = TRY(read_value<std::uint64_t>(memory, element));
    // glibc's TLS_DTV_UNALLOCATED: it comes into being when it is used.
    if (start == UINT64_MAX || start == 0) return unused;
    return start + offset;
}

}  // namespace mqinspect::target

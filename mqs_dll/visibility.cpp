#include "mqs_dll/visibility.h"

#include <algorithm>

namespace mqinspect::dll {
namespace {

constexpr std::int32_t kMostProcesses = 1 << 24;

std::uint64_t at(std::uint64_t base, int offset) {
    return base + static_cast<std::uint64_t>(offset);
}

NativeMessages native_of(const Target& target, const Symbols& symbols) {
    if (symbols.ucx_global != 0) return NativeMessages::Ucx;
    if (symbols.ofi_global == 0) return NativeMessages::None;
    // MPIR_CVAR_CH4_OFI_ENABLE_TAGGED=0 has MPICH match; the default is -1, the
    // provider's.
    std::int32_t tagged = -1;
    if (symbols.setting_tagged == 0 || !ok(target.read_int(symbols.setting_tagged, tagged))) {
        tagged = -1;
    }
    return tagged == 0 ? NativeMessages::None : NativeMessages::Ofi;
}

}  // namespace

Status Visibility::read(const Target& target, const Layout& layout, const Symbols& symbols) {
    native = NativeMessages::None;
    nodes.clear();
    if (layout.device != Device::Ch4) return Status::Ok;
    native = native_of(target, symbols);
    direct = layout.ch4.dev_is_local < 0;
    if (native == NativeMessages::None || direct || symbols.global_process == 0 ||
        layout.global_rank < 0 || layout.global_size < 0 || layout.global_node_map < 0) {
        return Status::Ok;
    }
    std::int32_t size = 0;
    std::uint64_t map = 0;
    const std::uint64_t process = symbols.global_process;
    if (!ok(target.read_int(at(process, layout.global_rank), rank)) ||
        !ok(target.read_int(at(process, layout.global_size), size)) ||
        !ok(target.read_pointer(at(process, layout.global_node_map), map)) || map == 0 ||
        size <= 0 || size > kMostProcesses || rank < 0 || rank >= size) {
        return Status::Ok;
    }
    Array<unsigned char> bytes;
    const Status status = target.read(map, static_cast<std::size_t>(size) * 4, bytes);
    if (!ok(status)) return status == Status::OutOfMemory ? status : Status::Ok;
    if (!nodes.resize(static_cast<std::size_t>(size))) return Status::OutOfMemory;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = target.int_at(bytes.data() + i * 4);
    return Status::Ok;
}

bool Visibility::hides(const Communicator& communicator, const RankMaps& ranks) const {
    // What a process sends itself on a communicator of its own stays inside of
    // MPICH.
    if (native == NativeMessages::None || communicator.is_alone()) return false;
    if (direct || nodes.empty()) return true;
    const std::int32_t own = nodes[static_cast<std::size_t>(rank)];
    for (std::int32_t i = 0; i < communicator.remote_size; ++i) {
        const std::int32_t world = ranks.process(communicator.peers, i);
        if (world < 0 || static_cast<std::size_t>(world) >= nodes.size() ||
            nodes[static_cast<std::size_t>(world)] != own) {
            return true;
        }
    }
    return false;
}

bool Visibility::hides_any() const {
    if (native == NativeMessages::None) return false;
    if (direct || nodes.empty()) return true;
    const std::int32_t own = nodes[static_cast<std::size_t>(rank)];
    return std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) { return node != own; });
}

const char* Visibility::reason() const {
    switch (native) {
        case NativeMessages::None:
            return nullptr;
        case NativeMessages::Ofi:
            return "MPICH's device ch4:ofi has libfabric match the messages between "
                   "nodes: "
                   "unexpected ones cannot be seen, nor source and tag of receives, "
                   "nor "
                   "blocking sends; run the job with MPIR_CVAR_CH4_OFI_ENABLE_TAGGED=0 "
                   "to see "
                   "them, or with device ch3";
        case NativeMessages::Ucx:
            return "MPICH's device ch4:ucx has UCX match the messages: only "
                   "nonblocking and "
                   "persistent sends can be seen, and what a process sends itself; run "
                   "the "
                   "job with an MPICH of device ch3, or configured "
                   "--enable-ch4-am-only";
    }
    return nullptr;
}

}  // namespace mqinspect::dll

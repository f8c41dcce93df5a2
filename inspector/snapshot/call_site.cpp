#include "inspector/snapshot/call_site.h"

#include <array>
#include <string_view>

namespace mqinspect::snapshot {

namespace {

/// Prefixes of functions inside MPICH. Needed where the library is linked
/// statically, so that its file is also the user's.
constexpr std::array<std::string_view, 8> kInternalPrefixes = {
    "MPIR_", "MPID_", "MPIDI_", "MPIC_", "MPII_", "MPIDU_", "MPIDIG_", "internal_"};

bool is_internal_name(std::string_view name) {
    for (const std::string_view prefix : kInternalPrefixes) {
        if (name.starts_with(prefix)) return true;
    }
    return false;
}

}  // namespace

target::Address lookup_address(const target::UnwoundFrame& frame) {
    return frame.is_return_address ? target::Address{target::to_integer(frame.pc) - 1} : frame.pc;
}

bool CallSiteFinder::is_mpi_library(const target::Module& module) {
    const auto [entry, is_new] = is_mpi_library_.try_emplace(module.image, false);
    if (is_new) {
        entry->second = module.image->find_symbol("PMPI_Init").has_value() ||
                        module.image->find_symbol("mpi_init_").has_value();
    }
    return entry->second;
}

CallSiteFinder::Role CallSiteFinder::role_of(const target::ProcessView& view,
                                             const target::UnwoundFrame& frame) {
    const target::Address address = lookup_address(frame);
    const target::Module* module = view.module_at(address);
    if (module == nullptr) return {};
    const auto symbol = module->image->function_at(module->linked(address));
    Role role;
    if (symbol) role.function = model::find_mpi_function(symbol->name);
    const bool is_program = module == &view.modules().front();
    role.in_library = is_mpi_library(*module) &&
                      (!is_program || role.function || (symbol && is_internal_name(symbol->name)));
    return role;
}

std::optional<CallSite> CallSiteFinder::find(const target::ProcessView& view,
                                             const std::vector<target::UnwoundFrame>& frames) {
    std::size_t index = 0;
    // Below the library there may be libc's poll, a network provider, a driver.
    while (index < frames.size() && !role_of(view, frames[index]).in_library)
        ++index;

    std::optional<CallSite> site;
    for (; index < frames.size(); ++index) {
        const Role role = role_of(view, frames[index]);
        // A tool's wrapper: MPI_Recv, but outside the library.
        if (!role.in_library && !(site && role.function)) break;
        if (!role.function) continue;
        const bool same = site && site->function.name == role.function->name;
        // Library code may call other MPI functions: the outermost is the user's call.
        if (!same) site = CallSite{*role.function, index, 0};
        site->user_frame = index + 1;
    }
    return site;
}

}  // namespace mqinspect::snapshot

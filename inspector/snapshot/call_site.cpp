#include "inspector/snapshot/call_site.h"

#include <array>
#include <string>
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

/// The MPI procedure that a function of the library carries out. MPICH 4 moves
/// the body of a large binding to internal_Waitany, which PMPI_Waitany jumps to
/// without leaving a frame; MPIR_Waitany_impl and its like stand for bindings
/// that the compiler has made vanish in the same way.
std::optional<model::MpiFunction> behind_binding(std::string_view name) {
    // Open MPI's bindings go on to these without leaving a frame.
    if (name == "ompi_mpi_finalize") return model::find_mpi_function("MPI_Finalize");
    if (name == "ompi_mpi_init") return model::find_mpi_function("MPI_Init");
    for (const std::string_view prefix : {"internal_", "MPIR_"}) {
        if (!name.starts_with(prefix)) continue;
        name.remove_prefix(prefix.size());
        constexpr std::string_view suffix = "_impl";
        if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
        const auto function = model::find_mpi_function("MPI_" + std::string(name));
        // Helpers of the library share the prefix; what may wait is in the table.
        const bool listed = function && function->call_class != model::CallClass::Local;
        return listed ? function : std::nullopt;
    }
    return std::nullopt;
}

/// Open MPI keeps much of itself in further libraries, and in components:
/// mca_pml_ob1.so defines a variable mca_pml_ob1_component.
bool is_part_of_open_mpi(const target::Image& image) {
    if (image.find_dynamic_symbol("opal_progress") || image.find_dynamic_symbol("orte_init")) {
        return true;
    }
    const std::string_view path = image.path();
    std::string_view name = path.substr(path.find_last_of('/') + 1);
    name = name.substr(0, name.find('.'));
    return name.starts_with("mca_") &&
           image.find_dynamic_symbol(std::string(name) + "_component").has_value();
}

/// What one frame is, by its function and file.
struct Role {
    bool in_library = false;
    std::optional<model::MpiFunction> function;
    /// A function that carries out a procedure for a binding without a frame.
    std::optional<model::MpiFunction> stand_in;
};

Role role_of(const FrameIdentity& frame) {
    Role role;
    const bool named = !frame.function.empty();
    if (named) role.function = model::find_mpi_function(frame.function);
    if (named && frame.of_mpi_library && !role.function) {
        role.stand_in = behind_binding(frame.function);
    }
    role.in_library = frame.of_mpi_library && (!frame.of_program || role.function ||
                                               (named && is_internal_name(frame.function)));
    return role;
}

}  // namespace

target::Address lookup_address(const target::UnwoundFrame& frame) {
    return frame.is_return_address ? target::Address{target::to_integer(frame.pc) - 1} : frame.pc;
}

bool CallSiteFinder::is_mpi_library(const target::Module& module) {
    const auto [entry, is_new] = is_mpi_library_.try_emplace(module.image, false);
    if (is_new) {
        entry->second = module.image->find_symbol("PMPI_Init").has_value() ||
                        module.image->find_symbol("mpi_init_").has_value() ||
                        is_part_of_open_mpi(*module.image);
    }
    return entry->second;
}

FrameIdentity CallSiteFinder::identity_of(const target::ProcessView& view,
                                          const target::UnwoundFrame& frame) {
    const target::Address address = lookup_address(frame);
    const target::Module* module = view.module_at(address);
    if (module == nullptr) return {};
    const auto symbol = module->image->function_at(module->linked(address));
    return {.function = symbol ? symbol->name : std::string_view(),
            .of_mpi_library = is_mpi_library(*module),
            .of_program = module == &view.modules().front()};
}

std::optional<CallSite> CallSiteFinder::find(const target::ProcessView& view,
                                             const std::vector<target::UnwoundFrame>& frames) {
    return find_call_site(frames.size(),
                          [&](std::size_t index) { return identity_of(view, frames[index]); });
}

std::optional<CallSite> find_call_site(
    std::size_t count, const std::function<FrameIdentity(std::size_t)>& identity_of) {
    std::size_t index = 0;
    // Below the library there may be libc's poll, a network provider, a driver.
    while (index < count && !role_of(identity_of(index)).in_library)
        ++index;

    std::optional<CallSite> site;
    // The outermost frame of the library that stands in for a binding, if it is
    // the outermost of all: then no frame of the binding follows.
    std::optional<CallSite> stand_in;
    for (; index < count; ++index) {
        const Role role = role_of(identity_of(index));
        if (!role.in_library && !site && !stand_in) continue;
        // A tool's wrapper: MPI_Recv, but outside the library.
        if (!role.in_library && !(site && role.function)) break;
        stand_in.reset();
        if (role.stand_in) stand_in = CallSite{*role.stand_in, index, index + 1};
        if (!role.function) continue;
        const bool same = site && site->function.name == role.function->name;
        // Library code may call other MPI functions: the outermost is the user's call.
        if (!same) site = CallSite{*role.function, index, 0};
        site->user_frame = index + 1;
        if (same && identity_of(index).function == site->function.name) site->wrapper_frame = index;
    }
    return stand_in ? stand_in : site;
}

}  // namespace mqinspect::snapshot

#include "inspector/snapshot/mpi_version.h"

#include <fmt/format.h>

#include "inspector/mqs_host/open_mpi.h"

namespace mqinspect::snapshot {

std::string text_at(const target::DebugSymbols& symbols,
                    const target::Memory& memory,
                    std::string_view variable) {
    constexpr std::size_t max_bytes = 256;
    const auto address = symbols.find_symbol(variable);
    if (!address) return {};
    return target::read_string(memory, *address, max_bytes).value_or(std::string{});
}

std::string describe_mpi(const target::DebugSymbols& symbols, const target::Memory& memory) {
    const std::string open_mpi = text_at(symbols, memory, "ompi_version_string");
    if (!open_mpi.empty()) {
        const std::string layer = mqs_host::point_to_point_layer(symbols, memory);
        return layer.empty() ? "Open MPI " + open_mpi
                             : fmt::format("Open MPI {}, pml {}", open_mpi, layer);
    }
    const std::string version = text_at(symbols, memory, "MPII_Version_string");
    const std::string device = text_at(symbols, memory, "MPII_Version_device");
    if (version.empty()) return symbols.mpi_library().empty() ? "" : "unknown MPI";
    return device.empty() ? "MPICH " + version : fmt::format("MPICH {}, {}", version, device);
}

}  // namespace mqinspect::snapshot

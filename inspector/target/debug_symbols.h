/// The names of a process: where its symbols lie, and how its types are laid out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inspector/target/image.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

/// Whoever knows them: our own reading of the files that are loaded (ProcessView), or
/// another debugger that holds the process. Not thread-safe.
class DebugSymbols {
public:
    DebugSymbols() = default;
    DebugSymbols(const DebugSymbols&) = default;
    DebugSymbols(DebugSymbols&&) = default;
    DebugSymbols& operator=(const DebugSymbols&) = default;
    DebugSymbols& operator=(DebugSymbols&&) = default;
    virtual ~DebugSymbols() = default;

    /// Where a variable or function lies in the process.
    virtual std::optional<Address> find_symbol(std::string_view name) const = 0;
    /// By tag or typedef name; of two with one name the MPI library's. Null if there is
    /// none. Lives as long as the object.
    virtual const TypeLayout* find_type(std::string_view name) const = 0;

    /// Processes with the same files have the same types; where they also lie at the same
    /// places, the same symbols. Each file, which is only compared, with its place; in any order.
    using LoadedFiles = std::vector<std::pair<const void*, std::uint64_t>>;
    /// This and the names below are known beforehand: they are asked for in forked copies
    /// of this process, too.
    virtual LoadedFiles loaded_files() const = 0;

    /// Path of the file that holds the MPI library, empty if there is none.
    virtual std::string mpi_library() const = 0;
    /// Path of the program, or what else to call the process in a message.
    virtual std::string program() const = 0;
};

}  // namespace mqinspect::target

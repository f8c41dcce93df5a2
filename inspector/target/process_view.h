/// The files that a process has loaded, and where.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/target/debug_symbols.h"
#include "inspector/target/image.h"
#include "inspector/target/memory.h"
#include "model/job_snapshot.h"

namespace mqinspect::target {

/// A contiguous mapping of /proc/PID/maps.
struct Mapping {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool readable = false;
    bool executable = false;
    std::string path;  ///< empty: anonymous; may be "[stack]", "[vdso]"
};

/// An ELF file in a process.
struct Module {
    Image* image = nullptr;  ///< owned by the ImageStore
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t bias = 0;  ///< address in the process minus address as linked
    /// How surely it is the MPI library: 3 it has MPIR_All_communicators, 2
    /// PMPI_Init, 1 MPI_Init only (a tool's wrapper), 0 none of them.
    int mpi_evidence = 0;
    /// The C library or its loader as files of their own. Their debug information
    /// is not read: opening it takes longer than all the rest, and explains no job.
    bool c_library = false;

    std::uint64_t linked(Address address) const { return to_integer(address) - bias; }
    Address loaded(std::uint64_t linked_address) const { return Address{linked_address + bias}; }
};

/// A file in a process, as Module is made from it.
struct LoadedFile {
    Image* image = nullptr;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  ///< of `start` in the file, bytes
    bool is_program = false;   ///< the executable
};

/// Symbols and types over all the files of one process, in load order: the
/// executable, then libraries by address. The files that define the MPI library
/// (a symbol MPIR_All_communicators, PMPI_Init or MPI_Init) are asked first for
/// types and symbols, so that an application's own type of the same name does
/// not hide the library's. Types and lines of the C library are not looked up.
class ProcessView final : public DebugSymbols {
public:
    /// Reads /proc/PID/maps; the process need not be stopped. Fails with
    /// TargetExited for a process that is gone or a zombie, PermissionDenied for
    /// somebody else's, InvalidArgument for a kernel thread. A file that cannot be
    /// opened or is no ELF file is left out of `modules`.
    static Result<ProcessView> create(pid_t pid, ImageStore& store);

    /// Of a process that need not live. `mappings` ascend.
    static ProcessView assemble(pid_t pid,
                                std::vector<Mapping> mappings,
                                std::span<const LoadedFile> files);

    pid_t pid() const { return pid_; }
    const std::vector<Module>& modules() const { return modules_; }
    const std::vector<Mapping>& mappings() const { return mappings_; }

    const Module* module_at(Address address) const;
    const Mapping* mapping_at(Address address) const;
    /// The module that defines PMPI_Init, or null: no MPI process.
    const Module* mpi_module() const;

    std::optional<Address> find_symbol(std::string_view name) const override;
    const TypeLayout* find_type(std::string_view name) const override;
    LoadedFiles loaded_files() const override;
    std::string mpi_library() const override;
    std::string program() const override;
    /// A donor's types count as the MPI library's own where that has none of the name.
    /// Borrows the image.
    void borrow_types(const Image* donor) { donors_.push_back(donor); }

    /// Function name (empty if unknown), image and source line. For a return
    /// address pass `is_return_address`: the line is that of the call.
    model::Frame describe(Address pc, bool is_return_address) const;

private:
    pid_t pid_ = 0;
    std::vector<Module> modules_;
    std::vector<Mapping> mappings_;
    std::vector<std::size_t> search_order_;  // into modules_, the MPI library first
    std::vector<const Image*> donors_;
};

}  // namespace mqinspect::target

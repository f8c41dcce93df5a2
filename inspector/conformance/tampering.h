/// Changes to MPICH's list of communicators, as the DLL reads it: what a job does between
/// two looks, and what a damaged process holds. Used in a helper process only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "inspector/conformance/debugger.h"

namespace mqinspect::conformance {

/// The list that MPIR_All_communicators heads (MPICH, src/mpi/debugger/dbginit.c).
class CommunicatorList {
public:
    /// Empty if the process has no such list with at least two communicators.
    static std::optional<CommunicatorList> find(const Debugger& debugger, DebuggedProcess& process);

    std::size_t size() const { return addresses_.size(); }
    /// Takes a communicator out, as MPI_Comm_free does.
    void unlink(std::size_t index);
    /// Lets the last one lead back to the first.
    void close();
    /// Gives every communicator a name that fills its room and does not end in it.
    void lengthen_names();
    /// Gives every communicator this size.
    void set_sizes(std::int32_t size);

private:
    CommunicatorList(const Debugger& debugger, DebuggedProcess& process)
        : debugger_(&debugger), process_(&process) {}

    bool read_list();
    template <class T>
    std::optional<T> value_at(std::uint64_t address) const;
    template <class T>
    void store(std::uint64_t address, const T& value);

    const Debugger* debugger_;
    DebuggedProcess* process_;
    std::uint64_t head_ = 0;
    std::uint64_t sequence_ = 0;
    std::uint64_t next_offset_ = 0;
    std::uint64_t name_offset_ = 0;
    std::uint64_t size_offset_ = 0;
    std::uint64_t local_size_offset_ = 0;
    std::vector<std::uint64_t> addresses_;
};

}  // namespace mqinspect::conformance

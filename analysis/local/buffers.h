/// Which memory a call reads and writes through MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/procedures.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// A communicator as one of its processes sees it.
struct CommunicatorShape {
    std::int64_t size = 0;         ///< of the own group; 0: not known
    std::int64_t remote_size = 0;  ///< of the other group of an intercommunicator
    std::int64_t rank = -1;        ///< -1: not known
    bool inter = false;
    bool topology = false;     ///< neighbours are known
    std::int64_t sources = 0;  ///< neighbours that are received from
    std::int64_t destinations = 0;

    /// How many ranks a destination, source or root may name.
    std::int64_t peers() const { return inter ? remote_size : size; }
};

/// The communicators of one process. The execution must outlive it.
class CommunicatorShapes {
public:
    CommunicatorShapes(const model::Execution& execution, model::ProcessId process)
        : execution_(execution), process_(process) {}

    /// Of an id in a call; not known for null and invalid ones. Valid as long as this object.
    const CommunicatorShape& of(std::int64_t communicator);

private:
    const model::Execution& execution_;
    model::ProcessId process_;
    std::unordered_map<std::int64_t, CommunicatorShape> shapes_;
    std::int64_t last_ = model::kInvalidHandle;
    const CommunicatorShape* last_shape_ = nullptr;
};

/// One buffer of a call, or one part of the buffer of MPI_Gatherv and its kin.
struct Access {
    ByteRange hull;
    std::int64_t address = 0;
    std::int64_t count = 0;
    model::DatatypeId type;
    bool writes = false;
    std::string_view name;  ///< "receive buffer"; of a literal
};

/// The subscript of the parameter that has given the access its place; empty: not known.
std::optional<std::size_t> buffer_parameter(const CallView& view, const Access& access);

/// Memory whose length the call itself gives or tells: that of a window, of MPI_Buffer_attach, and
/// what MPI_Pack and its kin use of the buffer with what is packed.
struct GivenMemory {
    std::size_t parameter = 0;  ///< its subscript
    std::int64_t bytes = 0;     ///< from the argument on
    bool writes = false;        ///< in this call
    std::string_view use;       ///< " is given "
};
/// Empty: there is none.
std::optional<GivenMemory> given_memory(const CallView& view, const model::Execution& execution);

/// MPI_Get_accumulate and MPI_Fetch_and_op with MPI_NO_OP look at nothing of the origin but where
/// the result goes (MPI 4.0, 12.3.4).
bool ignores_origin(const CallView& view, const model::Execution& execution);

/// It writes a message, which may be shorter than what there is said to be room for.
bool may_be_shorter(const CallView& view, const Access& access);

/// Appends what the call touches. What makes no sense, such as negative counts, is left out.
void collect_accesses(const CallView& view,
                      const CommunicatorShape& shape,
                      const model::Execution& execution,
                      const Footprints& footprints,
                      std::vector<Access>& accesses);

}  // namespace mqinspect::analysis

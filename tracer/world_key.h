/// Numbers that are equal in all processes of one MPI_COMM_WORLD, and differ from those of others
/// in the same folder. Without communication: not all of them need be recorded.
#pragma once

#include <cstdint>

namespace mqinspect::tracer {

struct WorldKeys {
    std::uint64_t world = 0;
    std::uint64_t job =
        0;  ///< equal in all worlds that one launcher has started on a host; 0: not known
};
WorldKeys find_world_keys();

}  // namespace mqinspect::tracer

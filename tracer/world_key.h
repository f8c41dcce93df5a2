/// A number that is equal in all processes of one MPI_COMM_WORLD, and differs from those of
/// others in the same folder. Without communication: not all of them need be recorded.
#pragma once

#include <cstdint>

namespace mqinspect::tracer {

std::uint64_t find_world_key();

}  // namespace mqinspect::tracer

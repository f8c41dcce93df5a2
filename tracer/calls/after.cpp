#include "tracer/calls/after.h"

#include "tracer/handles/objects.h"

namespace mqinspect::tracer::after {

void window_made(const char* kind, MPI_Win window, MPI_Comm communicator) {
    window_created(kind, window, communicator);
}

}  // namespace mqinspect::tracer::after

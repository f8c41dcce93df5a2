#include "tracer/calls/after.h"

#include "tracer/control/errors.h"
#include "tracer/handles/objects.h"

namespace mqinspect::tracer::after {

void window_made(const char* kind, MPI_Win window, MPI_Comm communicator) {
    window_created(kind, window, communicator);
    watch_errors_of(window);
}

}  // namespace mqinspect::tracer::after

/* On its way to end the process a thread of a team ends MPI, by another function.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <omp.h>

#include <cstdlib>

namespace {

void shutdown() {
    MPI_Finalize(); /* expect: mpi-finalize */
}

void stop(int code) {
    shutdown();
    std::exit(code);
}

bool probe(int tag) {
    int found = 0;
    const int error = MPI_Iprobe(0, tag, MPI_COMM_WORLD, &found, /* expect: mpi-finalize */
                                 MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) stop(error);
    return found != 0;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    probe(omp_get_thread_num());
    shutdown();
    return 0;
}

/* On its way to end the process a thread of a team waits for a message for a while, and aborts.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <omp.h>

namespace {

void stop(int code) {
    int done = 0;
    MPI_Request request;
    const double start = MPI_Wtime();
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (done == 0) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (MPI_Wtime() > start + 1) break;
    }
    MPI_Abort(MPI_COMM_WORLD, code);
}

bool probe(int tag) {
    int found = 0;
    const int error = MPI_Iprobe(0, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
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
    MPI_Finalize();
    return 0;
}

/* The same, one at a time.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <omp.h>

#include <cstdlib>
#include <thread>

namespace {

template <class Procedure, class... Arguments>
void call(Procedure procedure, Arguments... arguments) {
    const int error = procedure(arguments...);
    if (error != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, error);
}

using Collective = int (*)(MPI_Comm);
Collective synchronize = MPI_Barrier;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    call(MPI_Init_thread, &argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::atexit([] { MPI_Finalize(); });
#pragma omp parallel
    {
        int value = 0;
#pragma omp critical
        call(MPI_Recv, static_cast<void*>(&value), 1, MPI_INT, 0, omp_get_thread_num(),
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp master
    synchronize(MPI_COMM_WORLD);
    int rank = 0;
    int size = 0;
    std::thread asking(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
    asking.join();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return 0;
}

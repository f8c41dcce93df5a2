/* Procedures of MPI that are called through pointers: a wrapper that is handed them, a variable,
   a thread that starts with one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <omp.h>

#include <thread>

namespace {

template <class Procedure, class... Arguments>
void call(Procedure procedure, Arguments... arguments) {
    const int error = procedure(arguments...);
    if (error != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, error);
}

using Collective = int (*)(MPI_Comm);
Collective synchronize = MPI_Barrier; /* expect: mpi-concurrent-collectives */

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    call(MPI_Init_thread, &argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        int value = 0;
        call(MPI_Recv, static_cast<void*>(&value), 1, MPI_INT, 0, /* expect: mpi-thread-level */
             omp_get_thread_num(), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
    synchronize(MPI_COMM_WORLD);
    int rank = 0;
    int size = 0;
    std::thread asking(MPI_Comm_rank, MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    asking.join();
    call(MPI_Finalize);
    return 0;
}

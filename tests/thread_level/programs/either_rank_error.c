// Thread 1 of the first rank, but any of the last one.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        if ((rank == 0 && thread == 1) || (rank == size - 1 && size > 2 && thread >= 0))
            MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    MPI_Finalize();
    return value;
}

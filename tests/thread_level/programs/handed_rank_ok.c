/* All threads are handed the rank of the process, so that none is on the other side of it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

void inner(int rank, int* value) {
    if (rank == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

void outer(int rank) {
    int value = rank;
    inner(rank, &value);
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    outer(rank);
    MPI_Finalize();
}

/* Twin of handed_rank_ok.c: each thread is handed something else.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

void inner(int rank, int* value) {
    if (rank == 0) {
        if (omp_get_thread_num() == 0)
            MPI_Recv(value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, /* expect: mpi-thread-level */
                     MPI_STATUS_IGNORE);
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
    outer(omp_get_thread_num() % 2);
    MPI_Finalize();
}

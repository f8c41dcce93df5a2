/* A branch on what does not change in the region: its two sides never meet, and have no order.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int has_many;
static double sum;

static void reduce(int by_barrier) {
#pragma omp parallel
#pragma omp critical(collective)
    {
        if (by_barrier)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    has_many = argc * 2 > 7;
    const int mode = argc % 3;
#pragma omp parallel
    {
#pragma omp critical
        {
            if (has_many)
                MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            else
                MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp barrier
        if (mode == 2) {
#pragma omp master
            MPI_Send(&sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
        } else {
#pragma omp single nowait
            MPI_Send(&sum, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
        }
    }
    reduce(argc == 1);
    MPI_Finalize();
}

/* Branches on what changes in the region, or is not the same for all threads.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>

#include <mpi.h>

static int round_of;
static double sum;

static void reduce(void) {
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    round_of = argc / 2;
#pragma omp parallel
    {
#pragma omp critical
        {
            if (round_of == 1)
                reduce();
            else
                MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-collective-order */
            round_of = round_of + 1;
        }
    }
#pragma omp parallel
    {
        int own = omp_get_thread_num() % 2;
#pragma omp critical
        {
            if (own)
                MPI_Barrier(MPI_COMM_WORLD);
            else
                reduce();
        }
    }
    MPI_Finalize();
}

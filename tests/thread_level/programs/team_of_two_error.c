/* Teams that are, or may be, larger than two: several threads are not the first.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static void three(MPI_Comm second) {
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            MPI_Barrier(second);
        else
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void inner(MPI_Comm second) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp parallel
            {
                if (omp_get_thread_num() != 0)
                    MPI_Barrier(second); /* expect: mpi-concurrent-collectives */
            }
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Comm second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    three(second);
    inner(second);
    MPI_Comm_free(&second);
    MPI_Finalize();
}

/* Threads take turns that nothing keeps apart; each thread meets a number of its own.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int turn = 0; turn < all; ++turn) {
            if (me == turn)
                MPI_Send(&turn, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < 100; ++i) {
            if (me == i)
                MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
    MPI_Finalize();
}

/* What is behind a loop meets what is in it, behind the barrier or without any.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static void send(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int turn = 0; turn < all; ++turn) {
#pragma omp barrier
            if (me == turn) MPI_Send(&turn, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
        if (me == 1) MPI_Recv(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int turn = 0; turn < all; ++turn) {
            if (me == 0) MPI_Send(&turn, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
        if (me == 1) MPI_Recv(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
#pragma omp barrier
    }
    send(1);
    MPI_Finalize();
}

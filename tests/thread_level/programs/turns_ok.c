/* Threads take turns, with a barrier behind each; the last thread of the team alone.
   required: MPI_THREAD_SERIALIZED */
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
            if (me == turn) send(turn);
#pragma omp barrier
        }
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        if (me == all - 1) {
            send(1);
            send(2);
        }
    }
    MPI_Finalize();
}

/* What is behind a loop with a barrier never meets what is in it.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>

#include <mpi.h>

static void send(int tag) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

static void take_turn(int turn) {
    if (omp_get_thread_num() == 0) send(turn);
#pragma omp barrier
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
        if (me == 1) send(1);
#pragma omp barrier
        for (int turn = 0; turn < all; ++turn) take_turn(turn);
#pragma omp single
        send(2);
    }
    MPI_Finalize();
}

/* More is requested than the way needs which is taken if it is provided.
   required: MPI_THREAD_SINGLE */
#include <stdbool.h>

#include <mpi.h>

static void exchange(int peer) {
    int value = peer;
    MPI_Sendrecv_replace(&value, 1, MPI_INT, peer, 0, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sweep_inside(int peer) {
#pragma omp parallel
    {
#pragma omp single
        exchange(peer);
    }
}

int main(int argc, char** argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level); /* expect: mpi-level-too-high */
    const bool is_inside = level >= MPI_THREAD_SERIALIZED;
    if (is_inside) {
        sweep_inside(MPI_PROC_NULL);
    } else {
        exchange(MPI_PROC_NULL);
    }
    MPI_Finalize();
}

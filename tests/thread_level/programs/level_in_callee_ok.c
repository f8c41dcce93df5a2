/* What is called in the region asks for the level: below MPI_THREAD_MULTIPLE it takes a lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int mode;

static void swap(int k) {
    int x;
    if (mode == MPI_THREAD_MULTIPLE) {
        MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, k, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical(library)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, k, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &mode);
#pragma omp parallel for
    for (int k = 0; k < 10; ++k)
        swap(k);
    MPI_Finalize();
    return 0;
}

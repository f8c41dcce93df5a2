/* The same constructs beside a critical section, and in a region of its own in one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int value;

static void share(void) {
#pragma omp single
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        share();
#pragma omp critical
        ++value;
        share();
    }
#pragma omp critical
    {
#pragma omp parallel
        share();
    }
    MPI_Finalize();
}

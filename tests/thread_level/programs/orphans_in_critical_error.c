/* A barrier and constructs that all threads have to come to, in a function that a critical section
   calls: one thread waits in it for those who wait for it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int value;

static void share(void) {
#pragma omp single /* expect: mpi-invalid-nesting */
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void meet(void) {
#pragma omp barrier /* expect: mpi-invalid-nesting */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp critical
        share();
    }
#pragma omp parallel
    {
#pragma omp critical
        meet();
    }
    MPI_Finalize();
}

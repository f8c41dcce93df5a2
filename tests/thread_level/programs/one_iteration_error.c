/* Several iterations of a worksharing loop, or several threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    double value = 0;
    const int verbose = argc > 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) {
        if (i <= 10) MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 100; ++i) {
        for (int k = 0; k < 100; ++k) {
            if (i == 0) MPI_Send(&k, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
    {
        for (int round = 0; round < 4; ++round) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 100; ++i) {
                if (i == 0) MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
            }
        }
    }
#pragma omp parallel
    {
        for (int i = 0; i < 100; ++i) {
            if (i == 0) MPI_Send(&i, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const int speaks = thread == 0 || verbose;
        if (speaks) MPI_Send(&value, 1, MPI_DOUBLE, 0, thread, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}

/* Several iterations.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

extern void show(const int* number);
static double values[64];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) {
        if (i >= 5) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        if (values[i] > 2.0) show(&i);
        values[i] += i;
    }
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) {
        int half = i / 2;
        if (half == 5) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        if (values[half] > 2.0) show(&half);
    }
    MPI_Finalize();
}

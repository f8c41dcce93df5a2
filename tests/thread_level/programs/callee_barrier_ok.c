/* Loops and branches with barriers, behind calls: all threads come to the same barriers, so that who
   is in front of one does not meet who has left.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static double values[100];
static int size;

__attribute__((noinline)) static void rounds(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp master
        MPI_Bcast(values, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma omp barrier
    }
}

__attribute__((noinline)) static void sum_all(void) {
    if (size > 1) {
#pragma omp master
        MPI_Allreduce(MPI_IN_PLACE, values, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
    {
        rounds(4);
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        sum_all();
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

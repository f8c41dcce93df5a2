/* Each thread is at its number in the loop at the same time as the others at theirs: there is a
   barrier in what they do.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void exchange(int me, double* values) {
    MPI_Sendrecv_replace(&values[me], 1, MPI_DOUBLE, 0, me, 0, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
#pragma omp barrier
    values[me] += values[0];
}

int main(int argc, char** argv) {
    double values[64] = {0};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4)
    for (int i = 1; i <= 4; ++i) {
        if (omp_get_thread_num() == i - 1) {
            int me = i;
            exchange(me - 1, values);
        }
    }
    MPI_Finalize();
    return 0;
}

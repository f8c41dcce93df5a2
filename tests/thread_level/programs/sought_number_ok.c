/* One thread after the other in turns of a loop; and each of them is at its number at the same time
   as the others at theirs, but one of them calls MPI.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void exchange(int me, double* values) {
    if (me == 1) MPI_Sendrecv_replace(values, 1, MPI_DOUBLE, 0, me, 0, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
    values[me] += values[0];
}

int main(int argc, char** argv) {
    double values[64] = {0};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4)
    {
        for (int i = 1; i <= 4; ++i) {
            if (omp_get_thread_num() == i - 1) {
                int me = i;
                exchange(me, values);
            }
        }
#pragma omp barrier
        for (int i = 1; i <= 4; ++i) {
            if (omp_get_thread_num() == i - 1)
                MPI_Send(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
#pragma omp barrier
        }
    }
    MPI_Finalize();
    return 0;
}

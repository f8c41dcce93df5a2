/* Worksharing constructs and a barrier within the iterations of a loop of the same team, through
   calls.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static int sum;

static void inner_loop(void) {
#pragma omp for reduction(+ : sum) /* expect: mpi-invalid-nesting */
    for (int i = 0; i < 10; ++i)
        sum += i;
}

static void inner_single(void) {
#pragma omp single /* expect: mpi-invalid-nesting */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void inner_barrier(void) {
#pragma omp barrier /* expect: mpi-invalid-nesting */
}

static void between(void) { inner_barrier(); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 4; ++i) {
            inner_loop();
            inner_single();
            between();
        }
    }
    MPI_Finalize();
}

/* A lock is always taken: MPI_THREAD_SERIALIZED is enough.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_lock_t lock;

static void acquire(void) {
    omp_set_lock(&lock);
}

static void release(void) {
    omp_unset_lock(&lock);
}

int main(int argc, char** argv) {
    int provided, x;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* expect: mpi-level-too-high */
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel private(x)
    {
        const int tag = omp_get_thread_num();
        acquire();
        MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, tag, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        release();
    }
    MPI_Finalize();
    return 0;
}

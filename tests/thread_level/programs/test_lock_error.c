/* The lock is tried once, and the call made without it, too.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static omp_lock_t lock;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        if (!omp_test_lock(&lock)) {
            MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-thread-level */
        } else {
            value += 1;
            omp_unset_lock(&lock);
        }
    }
    MPI_Finalize();
}

/* Threads that try until they have the lock.
   required: MPI_THREAD_SERIALIZED */
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
        while (!omp_test_lock(&lock))
            value = omp_get_thread_num();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
        omp_unset_lock(&lock);
        int has_lock = 0;
        do {
            has_lock = omp_test_lock(&lock);
        } while (has_lock == 0);
        MPI_Recv(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
            omp_unset_lock(&lock);
        }
    }
    MPI_Finalize();
}

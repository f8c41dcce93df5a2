/* The lock is always taken.
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
        int value = 0;
        omp_set_lock(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    MPI_Finalize();
}

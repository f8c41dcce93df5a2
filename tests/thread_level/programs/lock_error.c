/* The lock is taken only if a variable says so.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_lock_t lock;
static int use_lock;

int main(int argc, char** argv) {
    use_lock = argc > 1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int value = 0;
        if (use_lock) omp_set_lock(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        if (use_lock) omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    MPI_Finalize();
}

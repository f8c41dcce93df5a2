/* The lock is released before what is under a condition of its own, and in the region, before the call.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static omp_lock_t lock;
static int use_lock;

static void poll(void) {
    int done = 0;
    if (use_lock) omp_set_lock(&lock);
    MPI_Iprobe(0, 5, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    if (use_lock) omp_unset_lock(&lock);
    if (done) MPI_Send(&done, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    use_lock = omp_get_max_threads() > 1;
    omp_init_lock(&lock);
#pragma omp parallel
    poll();
#pragma omp parallel
    {
        if (use_lock) omp_set_lock(&lock);
        if (use_lock) omp_unset_lock(&lock);
        MPI_Send(&provided, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}

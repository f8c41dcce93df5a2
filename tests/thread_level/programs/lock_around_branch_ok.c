/* A lock under a condition, with something else under a condition between taking and releasing it, right at the
   start of a region, and in a task.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_lock_t lock;
static int use_lock;

static void poll(void) {
    int done = 0;
    if (use_lock) omp_set_lock(&lock);
    MPI_Iprobe(0, 5, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE); /* expect: mpi-conditional-lock */
    if (done) MPI_Send(&done, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD);
    if (use_lock) omp_unset_lock(&lock);
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
        MPI_Send(&provided, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-conditional-lock */
        if (use_lock) omp_unset_lock(&lock);
    }
#pragma omp parallel
#pragma omp task
    {
        if (use_lock) omp_set_lock(&lock);
        MPI_Send(&provided, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-conditional-lock */
        if (use_lock) omp_unset_lock(&lock);
    }
    MPI_Finalize();
    return 0;
}

/* A second function that sends, without the lock that the first one takes.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static omp_lock_t lock;
static bool use_lock;

static void begin(void) {
    if (use_lock) omp_set_lock(&lock);
}

static void end(void) {
    if (use_lock) omp_unset_lock(&lock);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    use_lock = omp_get_max_threads() > 1;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        begin();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        end();
    }
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); /* expect: mpi-thread-level */
        begin();
        value += 1;
        end();
    }
    MPI_Finalize();
}

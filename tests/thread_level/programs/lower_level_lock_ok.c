/* A lock that is taken wherever it is needed.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static int level;
static omp_lock_t lock;

int main(int argc, char** argv) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        omp_set_lock(&lock);
        if (level <= MPI_THREAD_FUNNELED) me = 0;
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        omp_unset_lock(&lock);
        /* At such a level it is wrong whatever it does, but this is asked for. */
        if (level < MPI_THREAD_SERIALIZED) {
            omp_set_lock(&lock);
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    MPI_Finalize();
}

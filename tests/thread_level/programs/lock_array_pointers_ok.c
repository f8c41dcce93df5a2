/* Locks behind pointers in an array, of which all threads take the same one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static omp_lock_t first, second;
static omp_lock_t* locks[2] = {&first, &second};
static omp_lock_t** made;
int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; ++i) omp_init_lock(locks[i]);
    made = malloc(2 * sizeof *made);
    for (int i = 0; i < 2; ++i) {
        made[i] = malloc(sizeof *made[i]);
        omp_init_lock(made[i]);
    }
#pragma omp parallel
    {
        omp_set_lock(locks[0]);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        omp_unset_lock(locks[0]);
#pragma omp barrier
        omp_set_lock(made[1]);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        omp_unset_lock(made[1]);
#pragma omp barrier
        omp_set_lock(&first);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
        omp_unset_lock(&first);
    }
    MPI_Finalize();
}

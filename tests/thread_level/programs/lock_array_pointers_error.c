/* Locks behind pointers in an array, of which each thread takes another one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <pthread.h>

static omp_lock_t first, second;
static omp_lock_t* locks[2] = {&first, &second};
static pthread_mutex_t** made;
int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; ++i) omp_init_lock(locks[i]);
    made = malloc(2 * sizeof *made);
    for (int i = 0; i < 2; ++i) {
        made[i] = malloc(sizeof *made[i]);
        pthread_mutex_init(made[i], 0);
    }
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(locks[omp_get_thread_num()]);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF); /* expect: mpi-thread-level */
        omp_unset_lock(locks[omp_get_thread_num()]);
    }
#pragma omp parallel num_threads(2)
    {
        pthread_mutex_lock(made[omp_get_thread_num()]);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF); /* expect: mpi-thread-level */
        pthread_mutex_unlock(made[omp_get_thread_num()]);
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            omp_set_lock(locks[0]);
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
            omp_unset_lock(locks[0]);
        }
#pragma omp section
        {
            omp_set_lock(locks[1]);
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            omp_unset_lock(locks[1]);
        }
    }
#pragma omp parallel for
    for (int i = 0; i < 2; ++i) {
        omp_set_lock(locks[i]);
        MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF); /* expect: mpi-thread-level */
        omp_unset_lock(locks[i]);
    }
    MPI_Finalize();
}

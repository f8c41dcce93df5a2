/* Locks that each thread has for itself keep nobody apart: in the region, and in a function that
   all threads call.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static int rank;

__attribute__((noinline)) static void ask(void) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    pthread_mutex_unlock(&own);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    ask();
#pragma omp parallel
    {
        pthread_mutex_t own;
        int size;
        pthread_mutex_init(&own, 0);
        pthread_mutex_lock(&own);
        MPI_Comm_size(MPI_COMM_WORLD, &size); /* expect: mpi-thread-level */
        pthread_mutex_unlock(&own);
    }
    MPI_Finalize();
    return 0;
}

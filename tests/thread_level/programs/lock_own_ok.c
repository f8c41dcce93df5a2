/* A lock of the function around the region is one for all threads, also where it is handed on.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static int rank;

__attribute__((noinline)) static void ask(pthread_mutex_t* lock) {
    pthread_mutex_lock(lock);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_unlock(lock);
}

int main(int argc, char** argv) {
    int provided;
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    ask(&lock);
#pragma omp parallel
    {
        int size;
        pthread_mutex_lock(&lock);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        pthread_mutex_unlock(&lock);
    }
    MPI_Finalize();
    return 0;
}

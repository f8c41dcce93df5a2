/* A pointer to one lock is handed to what locks it, by threads and to threads.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void send(pthread_mutex_t* with, int tag) {
    pthread_mutex_lock(with);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    pthread_mutex_unlock(with);
}

static void* drive(void* with) {
    send(with, 1);
    return with;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, drive, &own);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    pthread_mutex_t* made = malloc(sizeof *made);
    pthread_mutex_init(made, NULL);
#pragma omp parallel
    {
        send(&lock, 2);
#pragma omp barrier
        send(made, 3);
    }
    MPI_Finalize();
}

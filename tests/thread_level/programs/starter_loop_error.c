/* Workers that all are let go at once.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

sem_t go;
static int value;

static void* work(void* argument) {
    sem_wait(&go);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&go, 0, 0);
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4; ++i) sem_post(&go);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

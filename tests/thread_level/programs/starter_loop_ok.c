/* Workers are let go when nobody else calls MPI any more, and one of them does.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

sem_t go;
static volatile int start;
static int value;

static void* work(void* argument) {
    if ((long)argument == 2) {
        sem_wait(&go);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
    return argument;
}

static void* work_on(void* argument) {
    if ((long)argument != 1) return argument;
    while (!start) {
    }
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&go, 0, 0);
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void*)i);
    MPI_Barrier(MPI_COMM_WORLD);
    sem_post(&go);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work_on, (void*)i);
    MPI_Barrier(MPI_COMM_WORLD);
    start = 1;
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

/* Semaphores: one hands the turn on, the other is a lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static sem_t library;
static int value;

static void* fetch(void* argument) {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    sem_post(&done);
    return argument;
}

static void* send(void* argument) {
    sem_wait(&library);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    sem_post(&library);
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread, threads[2];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&done, 0, 0);
    sem_init(&library, 0, 1);
    pthread_create(&thread, 0, fetch, 0);
    sem_wait(&done);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(thread, 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, send, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

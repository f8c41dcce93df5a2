/* A semaphore that is 1 is a lock, whoever posts; workers post what one thread waits for.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static sem_t items;
static int value;

static void* work(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        sem_post(&lock);
        sem_post(&items);
    }
    return argument;
}

int main(int argc, char** argv) {
    pthread_t threads[4];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&lock, 0, 1);
    sem_init(&items, 0, 0);
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 40; ++i) {
        sem_wait(&items);
        sem_wait(&lock);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&lock);
    }
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
#pragma omp parallel
    {
        sem_wait(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        sem_post(&lock);
    }
    MPI_Finalize();
    return 0;
}

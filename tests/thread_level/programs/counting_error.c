/* A semaphore that is 2 lets two threads in; what one of several has posted is not the turn of all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static sem_t items;
static sem_t pool;
static int value;

static void* work(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&lock);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
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
    sem_init(&pool, 0, 2);
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 40; ++i) {
        sem_wait(&items);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
#pragma omp parallel
    {
        sem_wait(&pool);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        sem_post(&pool);
    }
    MPI_Finalize();
    return 0;
}

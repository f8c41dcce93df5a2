/* A semaphore that a function is handed, and keeps for others; one that is handed on in two ways.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static sem_t first;
static sem_t second;
static sem_t* kept;
static int value;

static void keep(sem_t* semaphore) {
    sem_init(semaphore, 0, 0);
    kept = semaphore;
}

static void* wait_for_it(void* argument) {
    sem_wait(&go);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

static void wait_for(sem_t* semaphore, int tag) {
    sem_wait(semaphore);
    MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

static void* wait_for_first(void* argument) {
    wait_for(&first, 2);
    return argument;
}

static void* wait_for_second(void* argument) {
    wait_for(&second, 3);
    return argument;
}

int main(int argc, char** argv) {
    pthread_t threads[3];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    keep(&go);
    pthread_create(&threads[0], 0, wait_for_it, 0);
    sem_post(kept);
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(threads[0], 0);
    sem_init(&first, 0, 1);
    sem_init(&second, 0, 1);
    pthread_create(&threads[1], 0, wait_for_first, 0);
    pthread_create(&threads[2], 0, wait_for_second, 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[2], 0);
    MPI_Finalize();
    return 0;
}

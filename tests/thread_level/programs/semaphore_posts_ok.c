/* Semaphores that begin with 1 are locks: each way posts once, behind a wait, be it in functions, on
   one way or the other, or in a loop, which may have a condition.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t plain, in_functions, tried, at_even;
static int ready;

static void* on_two_ways(void* value) {
    for (int i = 0; i < 8; ++i) {
        sem_wait(&plain);
        if (ready) {
            MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            sem_post(&plain);
            continue;
        }
        ready = 1;
        sem_post(&plain);
    }
    return value;
}

/* What it holds, it knows. */
static void* at_times(void* value) {
    for (int i = 0; i < 8; ++i) {
        int holds = 0;
        if (i % 2 == 0) {
            sem_wait(&at_even);
            holds = 1;
            MPI_Send(value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
        }
        if (holds) sem_post(&at_even);
    }
    return value;
}

static void enter(void) { sem_wait(&in_functions); }
static void leave(void) { sem_post(&in_functions); }

static void* below(void* value) {
    enter();
    MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    leave();
    return value;
}

static void* try_it(void* value) {
    while (sem_trywait(&tried) != 0) {
    }
    MPI_Send(value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    sem_post(&tried);
    return value;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&plain, 0, 1);
    sem_init(&in_functions, 0, 1);
    sem_init(&tried, 0, 1);
    sem_init(&at_even, 0, 1);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, on_two_ways, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, below, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, try_it, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, at_times, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

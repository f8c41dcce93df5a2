/* Numbers of threads that are divided by less than there are threads, and that have something other
   added for each thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define WORKERS 4

struct worker {
    double load;
    int number;
};

static void *work(void *given) {
    struct worker *worker = given;
    worker->load = worker->number;
    if (worker->number % 2 == 0)
        MPI_Send(&worker->load, 1, MPI_DOUBLE, 0, worker->number, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return NULL;
}

static void *help(void *given) {
    const long number = (long)given;
    if ((number & 7) == 2)
        MPI_Send(&number, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return NULL;
}

static void *end(void *given) {
    const long number = (long)given;
    if (number == 5)
        MPI_Send(&number, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return NULL;
}

int main(int argc, char **argv) {
    int provided, rank;
    pthread_t threads[WORKERS];
    struct worker workers[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < WORKERS; i++) {
        workers[i].number = rank * WORKERS + i;
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < argc; i++)
        pthread_create(&threads[i], NULL, help, (void *)(8L * rank + i));
    for (int i = 0; i < argc; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < WORKERS; i++) {
        long other;
        scanf("%ld", &other);
        pthread_create(&threads[i], NULL, end, (void *)(i + other));
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

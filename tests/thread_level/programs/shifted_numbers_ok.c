/* Threads with numbers that go on from process to process: one of each process has what is left of
   its number, divided by as many or more than there are.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4
#define HELPERS 3

struct worker {
    double load;
    int number;
};

static void *work(void *given) {
    struct worker *worker = given;
    worker->load = worker->number;
    if (worker->number % WORKERS == 0) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void *help(void *given) {
    const long number = (long)given;
    if ((number & 7) == 2) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void *end(void *given) {
    const long number = (long)given;
    if (number == 5) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv) {
    int provided, rank;
    long first;
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
    first = 8L * rank;
    for (long i = 0; i < HELPERS; i++)
        pthread_create(&threads[i], NULL, help, (void *)(first + i));
    for (int i = 0; i < HELPERS; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < HELPERS; i++)
        pthread_create(&threads[i], NULL, end, (void *)(i + 4));
    for (int i = 0; i < HELPERS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

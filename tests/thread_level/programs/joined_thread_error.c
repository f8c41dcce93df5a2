/* A thread that communicates, and others that compute: those are joined, and the main thread calls
   MPI while the one that communicates is still there.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2

static double grid[100];
static pthread_t receiver;

struct crew {
    pthread_t net;
    pthread_t* workers;
};

static void* compute(void* argument) {
    for (int i = 0; i < 100; ++i) grid[i] += i;
    return argument;
}

static void* send(void* argument) {
    MPI_Send(grid, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level mpi-finalize */
    return argument;
}

static void apart(void) {
    pthread_t net;
    pthread_t workers[THREADS];
    pthread_create(&net, NULL, send, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&workers[i], NULL, compute, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_join(workers[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(net, NULL);
}

static void first(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, compute, NULL);
    pthread_join(threads[1], NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(threads[0], NULL);
}

static void member(struct crew* crew) {
    crew->workers = malloc(THREADS * sizeof *crew->workers);
    pthread_create(&crew->net, NULL, send, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&crew->workers[i], NULL, compute, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_join(crew->workers[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(crew->net, NULL);
    free(crew->workers);
}

static void start(pthread_t* thread, void* (*function)(void*)) {
    if (pthread_create(thread, NULL, function, NULL) != 0) abort();
}

static void finish(const pthread_t* threads, int count) {
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void handed(void) {
    pthread_t net;
    pthread_t worker;
    start(&net, send);
    start(&worker, compute);
    finish(&worker, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    finish(&net, 1);
}

static void begin_static(void) { pthread_create(&receiver, NULL, send, NULL); }
static void end_static(void) { pthread_join(receiver, NULL); }

static void of_file(void) {
    pthread_t worker;
    begin_static();
    pthread_create(&worker, NULL, compute, NULL);
    pthread_join(worker, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    end_static();
}

static void on_heap(void) {
    pthread_t net;
    pthread_t* workers = malloc(THREADS * sizeof(pthread_t));
    pthread_create(&net, NULL, send, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&workers[i], NULL, compute, NULL);
    for (pthread_t* each = workers; each < workers + THREADS; ++each) pthread_join(*each, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(net, NULL);
    free(workers);
}

static void detached(void) {
    pthread_t net;
    pthread_create(&net, NULL, send, NULL);
    pthread_detach(net);
}

int main(int argc, char** argv) {
    int provided = 0;
    struct crew crew;
    pthread_t worker;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    apart();
    first();
    member(&crew);
    handed();
    of_file();
    on_heap();
    detached();
    pthread_create(&worker, NULL, compute, NULL);
    pthread_join(worker, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    MPI_Finalize();
    return 0;
}

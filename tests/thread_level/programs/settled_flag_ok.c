/* A local flag that nobody changes any more decides who starts a thread, and later who calls MPI itself.
   required: MPI_THREAD_SERIALIZED
   ways: all */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_t worker;
static double x, y;

static void* serve(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

static void launch(void) { pthread_create(&worker, NULL, serve, NULL); }

static int is_first(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static void serve_alone(void) {
    MPI_Recv(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    exit(0);
}

/* The thread stays. */
static void initialize(void) {
    int is_sink = 0;
    if (!is_first()) is_sink = 1;
    if (!is_sink) launch();
    if (is_sink) {
        serve_alone();
        abort();
    }
}

static void by_order(int limit) {
    pthread_t thread;
    int count = limit * 2;
    if (count > 4) pthread_create(&thread, NULL, serve, NULL);
    if (count <= 4) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (count > 4) pthread_join(thread, NULL);
}

static void by_two(int a, int b) {
    pthread_t thread;
    int first = a * 2, second = b + 1;
    if (first < second) {
        pthread_create(&thread, NULL, serve, NULL);
    } else {
        MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    if (first >= second) MPI_Send(&y, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (first < second) pthread_join(thread, NULL);
}

/* Each round has its own thread, and joins it. */
static void in_loop(int rounds) {
    for (int i = 0; i < rounds; i++) {
        const int mode = rounds % 3;
        if (mode == 1) launch();
        if (mode == 2) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        if (mode == 1) pthread_join(worker, NULL);
    }
}

static void by_argument(int mode) {
    pthread_t thread;
    if (mode == 1) pthread_create(&thread, NULL, serve, NULL);
    if (mode != 1) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (mode == 1) pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_order(argc);
    by_two(argc, argc + 1);
    in_loop(argc);
    by_argument(argc);
    initialize();
    pthread_join(worker, NULL);
    MPI_Finalize();
    return 0;
}

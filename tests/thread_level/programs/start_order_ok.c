/* Functions that start one thread, with the number of the thread at one place or another.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#define COUNT 4

static pthread_t threads[COUNT];
static int started;

static void *send_first(void *argument) {
    int value = 0;
    if ((long)argument == 1) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    return 0;
}

static void start_fixed(pthread_t *thread, void *number) {
    pthread_create(thread, 0, send_first, number);
}

static void start_in_order(void *(*function)(void *), void *number, pthread_t *thread) {
    pthread_create(thread, 0, function, number);
}

static void start_next(void *(*function)(void *), void *number) {
    pthread_create(&threads[started++], 0, function, number);
}

static void join_all(void) {
    for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], 0);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (long i = 1; i <= COUNT; ++i) start_fixed(&threads[i - 1], (void *)i);
    join_all();
    for (long i = 1; i <= COUNT; ++i) start_in_order(send_first, (void *)i, &threads[i - 1]);
    join_all();
    for (long i = 1; i <= COUNT; ++i) start_next(send_first, (void *)i);
    join_all();
    MPI_Finalize();
    return 0;
}

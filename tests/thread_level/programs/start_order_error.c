/* Functions that start one thread, with something else than the number that is counted.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#define COUNT 4

static pthread_t threads[COUNT];

static void *send_first(void *argument) {
    int value = 0;
    if ((long)argument == 1) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return 0;
}

static void start(void *kind, void *number, pthread_t *thread) {
    (void)number;
    pthread_create(thread, 0, send_first, kind);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (long i = 1; i <= COUNT; ++i) start((void *)(long)argc, (void *)i, &threads[i - 1]);
    for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
    return 0;
}

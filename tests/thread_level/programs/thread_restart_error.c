/* A function starts two threads, and joins one of those before.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_t first, second;
static int started;

static void *probe(void *unused) {
    int flag;
    (void)unused;
    MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void start_two(void) {
    if (started) pthread_join(first, 0);
    pthread_create(&first, 0, probe, 0);
    pthread_create(&second, 0, probe, 0);
    started = 1;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 3; ++i) start_two();
    pthread_join(first, 0);
    pthread_join(second, 0);
    MPI_Finalize();
    return 0;
}

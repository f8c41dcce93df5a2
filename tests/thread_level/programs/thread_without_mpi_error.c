/* A thread that does not call MPI: MPI_THREAD_FUNNELED is enough.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>

static void *work(void *number) {
    ++*(int *)number;
    return 0;
}

int main(int argc, char **argv) {
    int provided, number = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided); /* expect: mpi-level-too-high */
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, work, &number);
    pthread_join(thread, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* Threads whose number is what they are handed: all but one communicate.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void* work(void* number) {
    if ((long)number != 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, work, (void*)i);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

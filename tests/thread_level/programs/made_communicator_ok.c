/* Each thread makes a communicator of its own, uses and frees it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static MPI_Comm both[2];

static void* work(void* number) {
    MPI_Comm own;
    MPI_Comm_dup(both[*(int*)number], &own);
    MPI_Barrier(own);
    MPI_Comm_free(&own);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, numbers[2];
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &both[i]);
    for (int i = 0; i < 2; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

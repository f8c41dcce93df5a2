/* One thread at a time: it is joined before the next one starts.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static void* work(void* number) {
    MPI_Send(number, 1, MPI_INT, 1, *(int*)number, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, numbers[4];
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 4; ++i) {
            numbers[i] = i;
            pthread_create(&threads[i], NULL, work, &numbers[i]);
            if (numbers[i] >= 0) pthread_join(threads[i], NULL);
        }
    }
    MPI_Finalize();
    return 0;
}

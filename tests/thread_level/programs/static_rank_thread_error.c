/* As static_rank_error.c, with threads that the program numbers itself.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { kThreads = 3 };

static int rank;

static void* run(void* argument) {
    int number = *(int*)argument, value = 1;
    if (number != 0) {
        if (rank == 3) MPI_Send(&value, 1, MPI_INT, 0, number, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, numbers[kThreads];
    pthread_t threads[kThreads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < kThreads; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
}

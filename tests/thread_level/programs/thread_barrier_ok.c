/* Barriers of the C library between the calls of threads.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

pthread_barrier_t both;
static pthread_barrier_t all;
static int value;

static void* communicate(void* argument) {
    for (int i = 0; i < 10; ++i) {
        pthread_barrier_wait(&both);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        pthread_barrier_wait(&both);
    }
    return argument;
}

static void meet(void) {
    pthread_barrier_wait(&all);
}

static void* work(void* argument) {
    const int me = *(int*)argument;
    if (me == 0) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    meet();
    if (me == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char** argv) {
    pthread_t thread, threads[4];
    int numbers[4];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, communicate, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        pthread_barrier_wait(&both);
        pthread_barrier_wait(&both);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);

    pthread_barrier_init(&all, 0, 4);
    for (int i = 0; i < 4; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, work, &numbers[i]);
    }
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

/* Barriers of the C library that are passed at the wrong place, or nobody waits at.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

pthread_barrier_t both;
static pthread_barrier_t one;
static int value;

static void* communicate(void* argument) {
    for (int i = 0; i < 10; ++i) {
        pthread_barrier_wait(&both);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        pthread_barrier_wait(&both);
    }
    return argument;
}

static void* pass(void* argument) {
    pthread_barrier_wait(&one);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, communicate, 0);
    for (int i = 0; i < 10; ++i) {
        pthread_barrier_wait(&both);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        pthread_barrier_wait(&both);
    }
    pthread_join(thread, 0);

    pthread_barrier_init(&one, 0, 1);
    pthread_create(&thread, 0, pass, 0);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&one);
    pthread_join(thread, 0);
    MPI_Finalize();
}

/* A mutex keeps collective operations of threads apart, which have communicators of their own, or
   come one after the other in one thread.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm mine;
static int sum;

static void* add(void* argument) {
    pthread_mutex_lock(&mutex);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, mine);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    MPI_Bcast(&sum, 1, MPI_INT, 0, mine);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Bcast(&sum, 1, MPI_INT, 0, mine);
    pthread_create(&thread, NULL, add, NULL);
    pthread_mutex_lock(&mutex);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    MPI_Barrier(mine);
    MPI_Finalize();
}

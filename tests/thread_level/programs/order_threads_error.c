/* A mutex keeps collective operations of threads apart, but each may come first: threads beside
   main, and beside each other.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* add(void* argument) {
    pthread_mutex_lock(&mutex);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void* tell(void* argument) {
    pthread_mutex_lock(&mutex);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t one, two;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, tell, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    MPI_Finalize();
}

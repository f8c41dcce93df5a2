/* A lock in an object that all threads have in common.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>

#include <mpi.h>
#include <pthread.h>

struct Network {
    int peer;
    omp_lock_t lock;
    pthread_mutex_t mutex;
};

static struct Network network;

static void send(struct Network* one) {
    omp_set_lock(&one->lock);
    MPI_Send(&one->peer, 1, MPI_INT, one->peer, 1, MPI_COMM_SELF);
    omp_unset_lock(&one->lock);
}

static void* drive(void* argument) {
    struct Network* one = argument;
    pthread_mutex_lock(&one->mutex);
    MPI_Send(&one->peer, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    pthread_mutex_unlock(&one->mutex);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&network.lock);
    pthread_mutex_init(&network.mutex, 0);
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) send(&network);
    pthread_t threads[8];
    for (int i = 0; i < 8; ++i) pthread_create(&threads[i], 0, drive, &network);
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

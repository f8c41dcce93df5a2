/* Locks in objects: each thread has another one.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>
#include <pthread.h>

struct Lane {
    int peer;
    omp_lock_t lock;
    pthread_mutex_t mutex;
};

static struct Lane lanes[8];

static void send(struct Lane* lane) {
    omp_set_lock(&lane->lock);
    MPI_Send(&lane->peer, 1, MPI_INT, lane->peer, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    omp_unset_lock(&lane->lock);
}

static void* drive(void* argument) {
    struct Lane* lane = argument;
    pthread_mutex_lock(&lane->mutex);
    MPI_Send(&lane->peer, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    pthread_mutex_unlock(&lane->mutex);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 8; ++i) {
        omp_init_lock(&lanes[i].lock);
        pthread_mutex_init(&lanes[i].mutex, 0);
    }
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) send(&lanes[i]);
    pthread_t threads[8];
    for (int i = 0; i < 8; ++i) pthread_create(&threads[i], 0, drive, &lanes[i]);
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

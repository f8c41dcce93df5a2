/* A lock that a function returns is not always the same one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[8];

static pthread_mutex_t* lock_of(int thread) { return &locks[thread]; }

static pthread_mutex_t* make_lock(void) {
    pthread_mutex_t* lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    return lock;
}

static void send_by(pthread_mutex_t* lock, int tag) {
    pthread_mutex_lock(lock);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
    pthread_mutex_unlock(lock);
}

static void send_alone(pthread_mutex_t* lock, int tag) {
    pthread_mutex_lock(lock);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
    pthread_mutex_unlock(lock);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 8; ++i) pthread_mutex_init(&locks[i], NULL);
#pragma omp parallel
    send_by(lock_of(omp_get_thread_num()), 1);
#pragma omp parallel
    send_alone(make_lock(), 2);
    MPI_Finalize();
}

/* A lock that a function returns, always the same one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

struct Library {
    int users;
    pthread_mutex_t lock;
};

static pthread_mutex_t* lock_of_mpi(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    return &lock;
}

static struct Library* library(void) {
    static struct Library one = {0, PTHREAD_MUTEX_INITIALIZER};
    return &one;
}

static pthread_mutex_t* lock_in(struct Library* of) { return &of->lock; }

static void send(pthread_mutex_t* lock, int tag) {
    pthread_mutex_lock(lock);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    pthread_mutex_unlock(lock);
}

static void* drive(void* lock) {
    send(lock, 7);
    return lock;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        pthread_mutex_lock(lock_of_mpi());
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        pthread_mutex_unlock(lock_of_mpi());
        pthread_mutex_t* lock = lock_of_mpi();
        pthread_mutex_lock(lock);
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        pthread_mutex_unlock(lock);
        send(lock_of_mpi(), 3);
    }
#pragma omp parallel
    {
        pthread_mutex_lock(&library()->lock);
        MPI_Send(&provided, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
        pthread_mutex_unlock(&library()->lock);
        send(lock_in(library()), 5);
        send(&library()->lock, 6);
    }
    pthread_t threads[4];
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, drive, &own);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

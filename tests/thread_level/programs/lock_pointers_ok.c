/* Each thread has an object of its own, with a pointer to the lock that all have in common.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

typedef struct {
    int tag;
    pthread_mutex_t* lock;
} Worker;

typedef struct {
    omp_lock_t* lock;
    int tag;
} Sender;

static omp_lock_t senders[2];

static void* drive(void* argument) {
    Worker* worker = argument;
    pthread_mutex_lock(worker->lock);
    MPI_Send(&worker->tag, 1, MPI_INT, 0, worker->tag, MPI_COMM_SELF);
    pthread_mutex_unlock(worker->lock);
    return argument;
}

static void send(Sender* sender) {
    omp_set_lock(sender->lock);
    MPI_Send(&sender->tag, 1, MPI_INT, 0, sender->tag, MPI_COMM_SELF);
    omp_unset_lock(sender->lock);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[4];
    Worker workers[4];
    for (int i = 0; i < 4; ++i) {
        workers[i].tag = i;
        workers[i].lock = &lock;
        pthread_create(&threads[i], 0, drive, &workers[i]);
    }
    pthread_mutex_lock(&lock);
    MPI_Send(&argc, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
    omp_init_lock(&senders[0]);
#pragma omp parallel
    {
        Sender sender = {&senders[0], omp_get_thread_num()};
        send(&sender);
        Sender copy = sender;
        omp_set_lock(copy.lock);
        MPI_Send(&copy.tag, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
        omp_unset_lock(copy.lock);
    }
    MPI_Finalize();
}

/* Each thread has an object of its own, with a pointer to another lock.
   required: MPI_THREAD_MULTIPLE */
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

typedef struct {
    omp_lock_t* lock;
    int tag;
} Receiver;

static omp_lock_t senders[8];
static omp_lock_t receivers[8];
static omp_lock_t spare;
static Receiver table[8] = {{&receivers[0], 1}, {&receivers[1], 2}};

static void* drive(void* argument) {
    Worker* worker = argument;
    pthread_mutex_lock(worker->lock);
    MPI_Send(&worker->tag, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    pthread_mutex_unlock(worker->lock);
    return argument;
}

static void send(Sender* sender) {
    omp_set_lock(sender->lock);
    MPI_Send(&sender->tag, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    omp_unset_lock(sender->lock);
}

static void receive(Receiver* receiver) {
    omp_set_lock(receiver->lock);
    MPI_Send(&receiver->tag, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    omp_unset_lock(receiver->lock);
}

static void choose(omp_lock_t** lock, int thread) { *lock = &senders[thread]; }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_mutex_t locks[4];
    pthread_t threads[4];
    Worker workers[4];
    for (int i = 0; i < 4; ++i) {
        pthread_mutex_init(&locks[i], 0);
        workers[i].tag = i;
        workers[i].lock = &locks[i];
        pthread_create(&threads[i], 0, drive, &workers[i]);
    }
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
#pragma omp parallel
    {
        Sender sender = {&senders[0], 1};
        choose(&sender.lock, omp_get_thread_num());
        send(&sender);
    }
    table[7].lock = &spare;
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) receive(&table[i]);
    MPI_Finalize();
}

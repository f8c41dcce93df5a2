/* Who starts a thread calls MPI before it lets that go on, and once it is done.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static volatile int may_go;
atomic_int is_done;
static sem_t filled;
int turn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void* by_flags(void* argument) {
    while (!may_go) {
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    atomic_store(&is_done, 1);
    return argument;
}

static void* by_semaphore(void* argument) {
    sem_wait(&filled);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    return argument;
}

static void* by_condition(void* argument) {
    for (int i = 0; i < 10; ++i) {
        pthread_mutex_lock(&mutex);
        while (turn != 1) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        pthread_mutex_lock(&mutex);
        turn = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, by_flags, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    may_go = 1;
    while (atomic_load(&is_done) == 0) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);

    sem_init(&filled, 0, 0);
    pthread_create(&thread, 0, by_semaphore, 0);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sem_post(&filled);
    pthread_join(thread, 0);

    pthread_create(&thread, 0, by_condition, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        pthread_mutex_lock(&mutex);
        turn = 1;
        pthread_cond_signal(&changed);
        while (turn != 0) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    MPI_Finalize();
}

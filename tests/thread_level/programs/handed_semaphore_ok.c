/* Semaphores that functions are handed: the same by all that call them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t filled;
static sem_t emptied;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static int value;

static void start(sem_t* one, sem_t* other) {
    sem_init(one, 0, 0);
    sem_init(other, 0, 0);
}

static void next(sem_t* go, sem_t* back, int tag) {
    sem_wait(go);
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sem_post(back);
}

static void* drain(void* argument) {
    for (int i = 0; i < 10; ++i)
        next(&filled, &emptied, i);
    return argument;
}

static void lock(atomic_flag* flag) {
    while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire)) {
    }
}

static void unlock(atomic_flag* flag) {
    atomic_flag_clear_explicit(flag, memory_order_release);
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    start(&filled, &emptied);
    pthread_create(&thread, 0, drain, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        sem_post(&filled);
        sem_wait(&emptied);
    }
    pthread_join(thread, 0);
#pragma omp parallel
    {
        lock(&spin);
        MPI_Send(&value, 1, MPI_INT, 0, 11, MPI_COMM_SELF);
        unlock(&spin);
    }
    MPI_Finalize();
    return 0;
}

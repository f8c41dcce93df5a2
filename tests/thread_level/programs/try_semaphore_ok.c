/* Who may go on without a semaphore, or without a lock, calls MPI only where it has it.
   required: MPI_THREAD_SERIALIZED */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t lock;
static sem_t go;
static sem_t back;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int spin;
static int plain_spin;
static struct timespec soon;
static int value;

static void* try_once(void* argument) {
    for (int i = 0; i < 10; ++i) {
        if (sem_trywait(&lock) == 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
            sem_post(&lock);
        }
        if (sem_timedwait(&lock, &soon)) continue;
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        sem_post(&lock);
    }
    return argument;
}

static void* drain(void* argument) {
    for (int i = 0; i < 10; ++i) {
        while (sem_trywait(&go) != 0) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
        sem_post(&back);
    }
    return argument;
}

static void by_mutex(void) {
#pragma omp parallel
    {
        int error = pthread_mutex_timedlock(&mutex, &soon);
        if (error == 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
            pthread_mutex_unlock(&mutex);
        } else if (error != ETIMEDOUT) {
            value = error;
        }
    }
}

static void by_exchange(void) {
#pragma omp parallel
    {
        int free = 0;
        while (!atomic_compare_exchange_weak(&spin, &free, 1))
            free = 0;
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
        atomic_store(&spin, 0);
    }
#pragma omp parallel
    {
        int unlocked = 0;
        if (__atomic_compare_exchange_n(&plain_spin, &unlocked, 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
            __atomic_store_n(&plain_spin, 0, __ATOMIC_RELEASE);
        }
    }
#pragma omp parallel
    {
        while (!__sync_bool_compare_and_swap(&plain_spin, 0, 1)) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
        __atomic_store_n(&plain_spin, 0, __ATOMIC_RELEASE);
    }
}

int main(int argc, char** argv) {
    pthread_t threads[3];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&lock, 0, 1);
    sem_init(&go, 0, 0);
    sem_init(&back, 0, 0);
    pthread_create(&threads[0], 0, try_once, 0);
    pthread_create(&threads[1], 0, try_once, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    pthread_create(&threads[2], 0, drain, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&go);
        sem_wait(&back);
    }
    pthread_join(threads[2], 0);
    by_mutex();
    by_exchange();
    MPI_Finalize();
    return 0;
}

/* Whether the semaphore, or the lock, is there makes no difference, or it is taken for the wrong one.
   required: MPI_THREAD_MULTIPLE */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t lock;
static sem_t timed;
static sem_t go;
static sem_t back;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int spin;
static int plain_spin;
static int other_spin;
static struct timespec soon;
static int value;

static void* try_once(void* argument) {
    for (int i = 0; i < 10; ++i) {
        if (sem_trywait(&lock) != 0)
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    return argument;
}

static void* try_timed(void* argument) {
    sem_timedwait(&timed, &soon);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    sem_post(&timed);
    return argument;
}

static void* drain(void* argument) {
    for (int i = 0; i < 10; ++i) {
        if (sem_trywait(&go) == 0) value = i;
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
        sem_post(&back);
    }
    return argument;
}

static void by_mutex(void) {
#pragma omp parallel
    {
        int error = pthread_mutex_timedlock(&mutex, &soon);
        if (error == 0 || error == ETIMEDOUT)
            MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
        if (error == 0) pthread_mutex_unlock(&mutex);
    }
}

static void by_exchange(void) {
#pragma omp parallel
    {
        int free = 0;
        atomic_compare_exchange_weak(&spin, &free, 1);
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF); /* expect: mpi-thread-level */
        atomic_store(&spin, 0);
    }
#pragma omp parallel
    {
        int unlocked = 0;
        if (!__atomic_compare_exchange_n(&plain_spin, &unlocked, 1, 0, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED)) {
            MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF); /* expect: mpi-thread-level */
            __atomic_store_n(&plain_spin, 0, __ATOMIC_RELEASE);
        }
    }
#pragma omp parallel
    {
        while (!__sync_bool_compare_and_swap(&other_spin, 0, 0)) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF); /* expect: mpi-thread-level */
        __atomic_store_n(&other_spin, 0, __ATOMIC_RELEASE);
    }
}

int main(int argc, char** argv) {
    pthread_t threads[5];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&lock, 0, 1);
    sem_init(&timed, 0, 1);
    sem_init(&go, 0, 0);
    sem_init(&back, 0, 0);
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], 0, try_once, 0);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], 0);
    for (int i = 2; i < 4; ++i)
        pthread_create(&threads[i], 0, try_timed, 0);
    for (int i = 2; i < 4; ++i)
        pthread_join(threads[i], 0);
    pthread_create(&threads[4], 0, drain, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&go);
        sem_wait(&back);
    }
    pthread_join(threads[4], 0);
    by_mutex();
    by_exchange();
    MPI_Finalize();
    return 0;
}

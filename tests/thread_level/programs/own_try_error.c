/* Functions that try to take a lock, where their results are mistaken.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t of_many[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t direct = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int calls;

static int try_lock(void) { return omp_test_lock(&lock); }

static int is_mine(pthread_mutex_t* which) { return pthread_mutex_trylock(which) == 0; }

static int lock_error(void) { return pthread_mutex_trylock(&direct); }

/* It may be 1 without the lock. */
static int try_or_give_up(void) {
    if (calls > 10) return 1;
    if (pthread_mutex_trylock(&mutex) != 0) return 0;
    return 1;
}

/* And here it is not held any more. */
static int has_been_free(void) {
    if (pthread_mutex_trylock(&left) != 0) return 0;
    pthread_mutex_unlock(&left);
    return 1;
}

static void without(void) {
#pragma omp parallel
    if (!try_lock()) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    } else {
        omp_unset_lock(&lock);
    }
}

static void of_each(void) {
#pragma omp parallel
    {
        pthread_mutex_t* own = &of_many[omp_get_thread_num() % 2];
        if (is_mine(own)) {
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
            pthread_mutex_unlock(own);
        }
    }
}

static void with_error(void) {
#pragma omp parallel
    if (lock_error()) {
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF); /* expect: mpi-thread-level */
    } else {
        pthread_mutex_unlock(&direct);
    }
}

static void given_up(void) {
#pragma omp parallel
    if (try_or_give_up()) {
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
        pthread_mutex_unlock(&mutex);
    }
}

static void is_free(void) {
#pragma omp parallel
    if (has_been_free()) MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

static void unlooked_at(void) {
#pragma omp parallel
    {
        is_mine(&mutex);
        MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&lock);
    without();
    of_each();
    with_error();
    given_up();
    is_free();
    unlooked_at();
    MPI_Finalize();
    return 0;
}

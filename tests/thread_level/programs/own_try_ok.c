/* Functions of the program that try to take a lock, and say whether they have.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t of_many[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t direct = PTHREAD_MUTEX_INITIALIZER;
static int value;

struct channel {
    pthread_mutex_t mutex;
    int sent;
};
static struct channel channel = {PTHREAD_MUTEX_INITIALIZER, 0};

static int try_lock(void) { return omp_test_lock(&lock); }

static int is_mine(pthread_mutex_t* which) { return pthread_mutex_trylock(which) == 0; }

static int try_twice(pthread_mutex_t* which) { return is_mine(which); }

static int try_channel(struct channel* which) {
    if (pthread_mutex_trylock(&which->mutex) != 0) return 0;
    which->sent++;
    return 1;
}

static int lock_error(void) { return pthread_mutex_trylock(&direct); }

static void by_test_lock(void) {
#pragma omp parallel
    {
        while (!try_lock()) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        omp_unset_lock(&lock);
    }
}

static void by_argument(void) {
#pragma omp parallel
    if (is_mine(&mutex)) {
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        pthread_mutex_unlock(&mutex);
    }
}

static void by_element(void) {
#pragma omp parallel
    if (try_twice(&of_many[1])) {
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
        pthread_mutex_unlock(&of_many[1]);
    }
}

static void by_channel(void) {
#pragma omp parallel
    {
        const int got = try_channel(&channel);
        if (got) {
            MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
            pthread_mutex_unlock(&channel.mutex);
        }
    }
}

static void by_error(void) {
#pragma omp parallel
    if (lock_error() == 0) {
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
        pthread_mutex_unlock(&direct);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&lock);
    by_test_lock();
    by_argument();
    by_element();
    by_channel();
    by_error();
    MPI_Finalize();
    return 0;
}

// A lock is tried some times; who has not got it leaves, as a later condition says.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t other;

static int counted_down(int tries) {
    int flag;
    while (tries > 0) {
        if (pthread_mutex_trylock(&lock) == 0) break;
        tries--;
    }
    if (tries <= 0) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return flag;
}

static int counted_up(void) {
    int flag;
    int i;
    for (i = 0; i < 10; i++) {
        if (pthread_mutex_trylock(&lock) == 0) break;
        usleep(10);
    }
    if (i == 10) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return flag;
}

static int by_result(int tries) {
    int flag;
    int result = 1;
    while (result != 0 && tries > 0) {
        result = pthread_mutex_trylock(&lock);
        tries--;
    }
    if (result != 0) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return flag;
}

static int by_flag(int tries) {
    int flag = 0;
    int got = 0;
    for (int i = 0; i < tries; i++) {
        if (pthread_mutex_trylock(&lock) == 0) {
            got = 1;
            break;
        }
    }
    if (got) {
        MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&lock);
    }
    return flag;
}

static void one_time(int* sum) {
    const int got = omp_test_lock(&other);
    int more = 0;
    if (*sum > 0) more = 1;
    if (got) {
        MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &more, MPI_STATUS_IGNORE);
        omp_unset_lock(&other);
    }
    *sum += more;
}

static void* run(void* sum) {
    *(int*)sum += counted_down(5) + counted_up() + by_result(6) + by_flag(7);
    return sum;
}

int main(int argc, char** argv) {
    int provided;
    int sum = 0;
    int sums[2] = {0, 0};
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    omp_init_lock(&other);
#pragma omp parallel reduction(+ : sum)
    one_time(&sum);
    omp_destroy_lock(&other);
    MPI_Finalize();
}

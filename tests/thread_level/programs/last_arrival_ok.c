/* Threads count themselves under a lock or in a critical section, and the last one calls.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>
#include <pthread.h>

#include <mpi.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock;
static int arrived;
static int left;
static int came;
static struct {
    int count;
} gate;

static void reduce(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int last;
#pragma omp critical(arrival)
        {
            ++arrived;
            last = arrived == omp_get_num_threads();
        }
        if (last) reduce();
    }
#pragma omp parallel num_threads(4)
    {
        pthread_mutex_lock(&mutex);
        const int mine = ++left;
        pthread_mutex_unlock(&mutex);
        if (mine == 4) reduce();
    }
    int count = 0;
#pragma omp parallel num_threads(4)
    {
        int mine;
        omp_set_lock(&lock);
        mine = count++;
        omp_unset_lock(&lock);
        if (mine == 3) reduce();
    }
#pragma omp parallel num_threads(4)
    {
        int mine;
#pragma omp critical
        mine = gate.count += 1;
        if (mine == 4) reduce();
    }
#pragma omp parallel
    {
        int mine;
#pragma omp critical
        mine = came++;
        if (mine == omp_get_num_threads() - 1) reduce();
    }
    omp_destroy_lock(&lock);
    MPI_Finalize();
}

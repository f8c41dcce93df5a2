/* A flag that is set behind the lock, and one that stays as it is: several threads find it so.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int taken;
static double sum, total;

static void* work(void* unused) {
    int mine = 0;
    pthread_mutex_lock(&lock);
    if (taken == 0) {
        mine = 1;
    }
    sum += 1;
    pthread_mutex_unlock(&lock);
    taken = 1;
    pthread_barrier_wait(&barrier);
    if (mine == 1) MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
#pragma omp parallel
    {
        int first = 0;
#pragma omp critical
        if (!taken) {
            total = 1;
            first = 1;
        }
        if (first) MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}

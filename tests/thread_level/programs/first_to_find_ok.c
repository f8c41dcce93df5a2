/* The first that comes is told by a flag under a lock, and calls MPI when all have come.
   required: MPI_THREAD_SERIALIZED */
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
        taken = 1;
    }
    sum += 1;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    if (mine == 1) MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
            taken = 1;
            first = 1;
        }
        if (first) MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* One of those who wait at a barrier is told so, and calls MPI for all.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void* work(void* unused) {
    for (int i = 0; i < 10; ++i) {
        const int told = pthread_barrier_wait(&barrier);
        if (told == PTHREAD_BARRIER_SERIAL_THREAD)
            MPI_Barrier(MPI_COMM_WORLD);
        pthread_barrier_wait(&barrier);
    }
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
    MPI_Finalize();
    return 0;
}

/* A pool with a barrier where a round starts and another one where it ends: main communicates
   between rounds, and worker 0 in them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { kWorkers = 4 };

static pthread_barrier_t start;
static pthread_barrier_t end;
static volatile int done;

static void exchange(void) {
    int one = 1;
    MPI_Send(&one, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
}

static void* work(void* number) {
    const long own = (long)number;
    while (!done) {
        pthread_barrier_wait(&start);
        if (own == 0) exchange();
        pthread_barrier_wait(&end);
    }
    return NULL;
}

static void run_round(void) {
    pthread_barrier_wait(&start);
    pthread_barrier_wait(&end);
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t workers[kWorkers];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_barrier_init(&start, NULL, kWorkers + 1);
    pthread_barrier_init(&end, NULL, kWorkers + 1);
    for (long i = 0; i < kWorkers; ++i)
        pthread_create(&workers[i], NULL, work, (void*)i);
    for (int i = 0; i < 10; ++i) {
        run_round();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    done = 1;
    run_round();
    for (int i = 0; i < kWorkers; ++i)
        pthread_join(workers[i], NULL);
    MPI_Finalize();
    return 0;
}

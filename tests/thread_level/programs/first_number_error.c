/* The threads that the main thread starts have the numbers from 0 on; it does such a part as well.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define THREADS 4

struct part {
    int id;
    double sum;
};

static struct part parts[THREADS];

static void* work(void* argument) {
    struct part* part = argument;
    const int id = part->id;
    part->sum = id;
    if (id == 0) MPI_Allreduce(MPI_IN_PLACE, &part->sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < THREADS; ++i) parts[i].id = i;
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &parts[i]);
    work(&parts[0]);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

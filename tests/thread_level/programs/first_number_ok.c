/* The main thread does the part of the first of its threads itself.
   required: MPI_THREAD_SINGLE */
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
    if (id == 0) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t threads[THREADS];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < THREADS; ++i) parts[i].id = i;
    for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &parts[i]); /* expect: mpi-strict-single */
    work(&parts[0]);
    for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

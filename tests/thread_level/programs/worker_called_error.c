/* Who starts the threads takes part with a number that one of them has, too; and two guards for the
   last ones are for two threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4 };

struct part {
    int number;
    double value;
};

static int count = THREADS;

static void sum(struct part* part) {
    double all = 0;
    if (part->number == 1)
        MPI_Allreduce(&part->value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void* work(void* part) {
    sum(part);
    return NULL;
}

static void* end(void* argument) {
    const struct part* part = argument;
    if (part->number == count - 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    if (part->number == count - 2) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, i;
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);

    for (i = 0; i < THREADS; ++i) parts[i].number = i;
    for (i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &parts[i]);
    work(&parts[1]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, end, &parts[i]);
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

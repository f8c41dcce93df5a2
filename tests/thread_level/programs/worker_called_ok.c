/* Who starts the threads takes part as one of them: with the number 0, which the others don't have.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4 };

struct part {
    int number;
    double value;
};

static int numbers[THREADS];
static int count = THREADS;

static void sum(struct part* part) {
    double all = 0;
    if (part->number == 1)
        MPI_Allreduce(&part->value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void* work(void* part) {
    sum(part);
    return NULL;
}

static void* end(void* number) {
    if (*(int*)number == count - 1) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void* end_of_part(void* argument) {
    const struct part* part = argument;
    if (count - 1 == part->number) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, i;
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);

    for (i = 1; i < THREADS; ++i) {
        parts[i].number = i;
        pthread_create(&threads[i], NULL, work, &parts[i]);
    }
    parts[0].number = 0;
    work(&parts[0]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &parts[i]);
    sum(&parts[0]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 0; i < THREADS; ++i) numbers[i] = i;
    for (i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, end, &numbers[i]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, end_of_part, &parts[i]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

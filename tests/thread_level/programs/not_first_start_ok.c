/* A loop that starts threads for all of its numbers but the first ones, which are the main thread's.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

#define THREADS 4

struct part {
    int id;
};

static pthread_t threads[THREADS];
static struct part parts[THREADS];
static int ids[THREADS];

static void *work(void *argument) {
    struct part *part = argument;
    if (part->id == 0) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void *work_by_number(void *argument) {
    const int id = *(int *)argument;
    if (!id) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void *work_by_one(void *argument) {
    if ((intptr_t)argument == 1) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void join(int first) {
    for (int i = first; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

static void run_parts(void) {
    for (int i = 0; i < THREADS; ++i) {
        parts[i].id = i;
        if (i) pthread_create(&threads[i], NULL, work, &parts[i]);
    }
    work(&parts[0]);
    join(1);
}

static void run_numbers(void) {
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i > 0) pthread_create(&threads[i], NULL, work_by_number, &ids[i]);
    }
    work_by_number(&ids[0]);
    join(1);
}

static void run_others(void) {
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i == 0) continue;
        if (pthread_create(&threads[i], NULL, work_by_number, &ids[i]) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    work_by_number(&ids[0]);
    join(1);
}

static void run_values(void) {
    for (int i = 0; i < THREADS; ++i) {
        if (i <= 1) {
            ids[i] = i;
        } else {
            pthread_create(&threads[i], NULL, work_by_one, (void *)(intptr_t)i);
        }
    }
    work_by_one((void *)(intptr_t)1);
    join(2);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    run_parts();
    run_numbers();
    run_others();
    run_values();
    MPI_Finalize();
    return 0;
}

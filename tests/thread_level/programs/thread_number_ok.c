/* Threads that the program numbers as it starts them: one of them calls MPI, by the number that it
   is handed, or that is in what it is handed, also in a function further down.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 4

struct part {
    int id;
    double sum;
};

static void exchange(int id, double* sum) {
    if (id == 1) MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void* work_on_part(void* argument) {
    struct part* part = argument;
    part->sum = part->id;
    if (part->id == 0) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void exchange_part(struct part* part) {
    exchange(part->id, &part->sum);
}

static void* work_on_own(void* argument) {
    exchange_part(argument);
    return NULL;
}

static void* work_by_number(void* argument) {
    const int id = (int)(intptr_t)argument;
    if (id != 0) return NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void* work_by_element(void* argument) {
    const int id = *(int*)argument;
    if (id == 2) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void join(pthread_t* threads) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < THREADS; ++i) parts[i].id = i;
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work_on_part, &parts[i]);
    join(threads);
    for (int i = 0; i < THREADS; ++i) {
        struct part* own = malloc(sizeof *own);
        own->id = i;
        pthread_create(&threads[i], NULL, work_on_own, own);
    }
    join(threads);
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work_by_number, (void*)(intptr_t)i);
    join(threads);
    int numbers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work_by_element, &numbers[i]);
    }
    join(threads);
    for (int i = 0; i < THREADS; ++i) {
        int* number = malloc(sizeof *number);
        *number = i;
        pthread_create(&threads[i], NULL, work_by_element, number);
    }
    join(threads);
    MPI_Finalize();
    return 0;
}

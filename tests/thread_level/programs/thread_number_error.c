/* Two of the threads that the program numbers call MPI; another time the one with the number 0
   beside the main thread; and the numbers of others are none: all have the same.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

#define THREADS 4

struct part {
    int id;
    int same;
    int value;
};

static void* work_on_part(void* argument) {
    struct part* part = argument;
    if (part->id == 0) MPI_Send(&part->value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    if (part->id == 1) MPI_Recv(&part->value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return NULL;
}

static void* work_by_number(void* argument) {
    const int id = (int)(intptr_t)argument;
    if (id == 0) MPI_Send(&id, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void* work_by_same(void* argument) {
    struct part* part = argument;
    if (part->same == 0) MPI_Send(&part->value, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void* work_by_element(void* argument) {
    const int id = *(int*)argument;
    if (id == 2) MPI_Send(&id, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void join(pthread_t* threads) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < THREADS; ++i) {
        parts[i].id = i;
        pthread_create(&threads[i], NULL, work_on_part, &parts[i]);
    }
    join(threads);
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work_by_number, (void*)(intptr_t)i);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    join(threads);
    for (int i = 0; i < THREADS; ++i) {
        parts[i].same = 0;
        pthread_create(&threads[i], NULL, work_by_same, &parts[i]);
    }
    join(threads);
    int numbers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = 2;
        pthread_create(&threads[i], NULL, work_by_element, &numbers[i]);
    }
    join(threads);
    MPI_Finalize();
    return 0;
}

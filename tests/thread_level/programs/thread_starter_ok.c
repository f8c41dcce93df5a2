/* A function of the program starts its threads, which have the numbers from 1 on; the part of number
   0 is the main thread's, which alone calls MPI.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4

struct part {
    int id;
    int value;
};

static void send_part(int id, int* value) {
    if (id == 0) MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
}

static void do_part(struct part* part) {
    send_part(part->id, &part->value);
}

static void* work(void* argument) {
    do_part(argument);
    return NULL;
}

static void start(pthread_t* thread, void* (*function)(void*), void* argument) {
    if (pthread_create(thread, NULL, function, argument) != 0) abort(); /* expect: mpi-strict-single */
}

int main(int argc, char** argv) {
    int i = 0;
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    MPI_Init(&argc, &argv);
    for (i = 0; i < THREADS; ++i) parts[i].id = i;
    for (i = 1; i < THREADS; ++i) start(&threads[i], work, &parts[i]);
    do_part(&parts[0]);
    for (i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}

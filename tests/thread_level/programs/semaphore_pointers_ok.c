/* Pointers to semaphores: on the heap, named, and local to a function with a team. Each that begins
   with 1 is a lock.
   required: MPI_THREAD_SERIALIZED */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t* on_heap;
static sem_t* named = NULL;
static int value;

static void* send_one(void* argument) {
    sem_wait(on_heap);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    sem_post(on_heap);
    return argument;
}

static void* send_named(void* argument) {
    sem_wait(named);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    sem_post(named);
    return argument;
}

static void send_in_team(void) {
    sem_t* library = malloc(sizeof *library);
    sem_init(library, 0, 1);
#pragma omp parallel
    {
        sem_wait(library);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        sem_post(library);
    }
    sem_destroy(library);
    free(library);
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    on_heap = malloc(sizeof *on_heap);
    sem_init(on_heap, 0, 1);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, send_one, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    sem_destroy(on_heap);
    free(on_heap);
    on_heap = NULL;
    named = sem_open("/mqinspect_library", O_CREAT, 0600, 1);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, send_named, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    sem_close(named);
    send_in_team();
    MPI_Finalize();
}

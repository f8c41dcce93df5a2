/* Pointers to semaphores that are no locks: one of 2, one that points to another semaphore later,
   and one that each thread has for itself.
   required: MPI_THREAD_MULTIPLE */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t* of_two;
static sem_t* changing;
static int value;

static void* send_two(void* argument) {
    sem_wait(of_two);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    sem_post(of_two);
    return argument;
}

static void* send_changing(void* argument) {
    sem_wait(changing);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    sem_post(changing);
    return argument;
}

static void send_in_team(void) {
#pragma omp parallel
    {
        sem_t* own = malloc(sizeof *own);
        sem_init(own, 0, 1);
        sem_wait(own);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        sem_post(own);
        free(own);
    }
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    of_two = sem_open("/mqinspect_two", O_CREAT, 0600, 2);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, send_two, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) {
        changing = malloc(sizeof *changing);
        sem_init(changing, 0, 1);
        pthread_create(&threads[i], 0, send_changing, 0);
        changing = malloc(sizeof *changing);
        sem_init(changing, 0, 1);
    }
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    send_in_team();
    MPI_Finalize();
}

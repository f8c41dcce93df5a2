/* Semaphores and barriers that are elements of arrays, or members of one variable.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

static struct {
    sem_t go;
    sem_t done;
    int value;
} all;
static sem_t turns[2];
static pthread_barrier_t both;

static void* work(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&all.go);
        MPI_Send(&all.value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        sem_post(&all.done);
    }
    return argument;
}

static void* take_turns(void* argument) {
    sem_wait(&turns[0]);
    MPI_Send(&all.value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    sem_post(&turns[1]);
    return argument;
}

static void lead(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    sem_post(&all.go);
    sem_wait(&all.done);
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&all.go, 0, 0);
    sem_init(&all.done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    for (int i = 0; i < 10; ++i) lead();
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    sem_init(&turns[0], 0, 0);
    sem_init(&turns[1], 0, 0);
    pthread_create(&thread, 0, take_turns, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    sem_post(&turns[0]);
    sem_wait(&turns[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    pthread_barrier_init(&both, 0, 2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) MPI_Barrier(MPI_COMM_WORLD);
        pthread_barrier_wait(&both);
        if (omp_get_thread_num() == 1) MPI_Bcast(&all.value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

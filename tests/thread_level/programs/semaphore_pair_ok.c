/* Two semaphores hand the turn to a thread and back, again and again.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

sem_t filled;
sem_t emptied;
static sem_t first;
static sem_t second;
static int value;

static void* communicate(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&filled);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        sem_post(&emptied);
    }
    return argument;
}

static void* first_half(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&first);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        sem_post(&second);
    }
    return argument;
}

static void* second_half(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&second);
        MPI_Barrier(MPI_COMM_WORLD);
        sem_post(&first);
    }
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread, threads[2];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 0);
    pthread_create(&thread, 0, communicate, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&filled);
        sem_wait(&emptied);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    sem_init(&first, 0, 1);
    sem_init(&second, 0, 0);
    pthread_create(&threads[0], 0, first_half, 0);
    pthread_create(&threads[1], 0, second_half, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    MPI_Finalize();
}

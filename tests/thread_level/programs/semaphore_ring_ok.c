/* A ring of three threads.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

sem_t a, b, c;
static int value;

static void* one(void* argument) {
    for (int i = 0; i < 9; ++i) {
        sem_wait(&a);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        sem_post(&b);
    }
    return argument;
}

static void* two(void* argument) {
    for (int i = 0; i < 9; ++i) {
        sem_wait(&b);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&c);
    }
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    sem_init(&c, 0, 0);
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    for (int i = 0; i < 9; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        sem_post(&a);
        sem_wait(&c);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

/* Functions that nobody calls don't take the turn from anyone, nor do those that wait for it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static sem_t emptied;
static int value;

static __attribute__((unused)) void forgotten(void) {
    sem_post(&filled);
}

void one_more(void) {
    sem_wait(&filled);
    sem_post(&emptied);
}

static void* drain(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&filled);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sem_post(&emptied);
    }
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 0);
    pthread_create(&thread, 0, drain, 0);
    for (int i = 0; i < 10; ++i) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        sem_post(&filled);
        sem_wait(&emptied);
    }
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}

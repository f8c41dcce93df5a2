/* Who starts a thread calls MPI after it has let that go on.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static volatile int may_go;
atomic_int is_done;
static sem_t filled;
static int value;

static void* by_flags(void* argument) {
    while (!may_go) {
    }
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    atomic_store(&is_done, 1);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    return argument;
}

static void* by_semaphore(void* argument) {
    sem_wait(&filled);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

static void let_go(void) {
    sem_post(&filled);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, by_flags, 0);
    may_go = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    while (atomic_load(&is_done) == 0) {
    }
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(thread, 0);

    sem_init(&filled, 0, 0);
    pthread_create(&thread, 0, by_semaphore, 0);
    let_go();
    pthread_join(thread, 0);
    MPI_Finalize();
}

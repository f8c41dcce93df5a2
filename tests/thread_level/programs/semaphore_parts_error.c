/* Semaphores that are elements of arrays or members: another one is posted, or by way of a pointer.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static struct Both {
    sem_t go;
    sem_t done;
    int value;
} all, known;
static sem_t turns[2];

static void* work(void* argument) {
    sem_wait(&all.go);
    MPI_Send(&all.value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    sem_post(&all.done);
    return argument;
}

static void* work_on_known(void* argument) {
    sem_wait(&known.go);
    MPI_Send(&known.value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    sem_post(&known.done);
    return argument;
}

__attribute__((noinline)) static void let_go(struct Both* both) {
    sem_post(&both->go);
}

static void* take_turns(void* argument) {
    sem_wait(&turns[1]);
    MPI_Send(&all.value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    sem_post(&turns[0]);
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&all.go, 0, 0);
    sem_init(&all.done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_post(&all.go);
    MPI_Recv(&all.value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sem_wait(&all.done);
    pthread_join(thread, 0);
    sem_init(&known.go, 0, 0);
    sem_init(&known.done, 0, 0);
    pthread_create(&thread, 0, work_on_known, 0);
    let_go(&known);
    MPI_Recv(&known.value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sem_post(&known.go);
    pthread_join(thread, 0);
    sem_init(&turns[0], 0, 0);
    sem_init(&turns[1], 0, 1);
    pthread_create(&thread, 0, take_turns, 0);
    MPI_Recv(&all.value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sem_wait(&turns[0]);
    pthread_join(thread, 0);
    MPI_Finalize();
}

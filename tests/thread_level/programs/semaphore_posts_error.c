/* Semaphores that begin with 1, and are posted more often than they are waited for: two threads get
   in.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t twice, in_loop, by_others, by_some;
static int many;

static void* post_twice(void* value) {
    sem_wait(&twice);
    MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    sem_post(&twice);
    sem_post(&twice);
    return value;
}

static void* post_in_loop(void* value) {
    sem_wait(&in_loop);
    MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    for (int i = 0; i < many; ++i) sem_post(&in_loop);
    return value;
}

static void* only_wait(void* value) {
    sem_wait(&by_others);
    MPI_Send(value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return value;
}

static void leave(void) { sem_post(&by_some); }

static void* post_below(void* value) {
    sem_wait(&by_some);
    MPI_Send(value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    leave();
    if (many) leave();
    return value;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    pthread_t threads[2];
    many = argc;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    sem_init(&twice, 0, 1);
    sem_init(&in_loop, 0, 1);
    sem_init(&by_others, 0, 1);
    sem_init(&by_some, 0, 1);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, post_twice, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, post_in_loop, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, only_wait, &value);
    sem_post(&by_others);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, post_below, &value);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    MPI_Finalize();
}

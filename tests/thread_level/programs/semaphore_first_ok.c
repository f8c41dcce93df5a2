/* The first thread that gets in says that it has come, and lets all others in, which do nothing.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

struct exchange {
    int is_first;
    int threads;
    sem_t gate;
};

static struct exchange shared;

static void exchange(struct exchange* all, int* value) {
    sem_wait(&all->gate);
    if (all->is_first) {
        all->is_first = 0;
        MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        MPI_Recv(value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        for (int i = 1; i < all->threads; ++i) sem_post(&all->gate);
    }
}

static void* work(void* value) {
    exchange(&shared, value);
    return value;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    shared.threads = 4;
    shared.is_first = 1;
    sem_init(&shared.gate, 0, 1);
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, &value);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
}

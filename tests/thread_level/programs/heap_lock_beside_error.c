/* A static object, and others on the heap that a function gets.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

struct channel {
    pthread_mutex_t mutex;
    int peer;
};

static struct channel first = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct channel* other;

static void make(struct channel** out) {
    *out = malloc(sizeof **out);
    pthread_mutex_init(&(*out)->mutex, NULL);
}

static void send(struct channel* channel, int tag) {
    pthread_mutex_lock(&channel->mutex);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
    pthread_mutex_unlock(&channel->mutex);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    make(&other);
#pragma omp parallel for
    for (int i = 0; i < 2; ++i) send(i == 0 ? &first : other, i);
    MPI_Finalize();
    return 0;
}

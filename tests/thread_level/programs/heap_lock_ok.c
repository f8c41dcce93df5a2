/* A lock in memory that main() gets once.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

struct channel {
    pthread_mutex_t mutex;
    int peer;
};

struct port {
    omp_lock_t lock;
    int peer;
};

static struct channel* channel;

static void send(int tag) {
    pthread_mutex_lock(&channel->mutex);
    MPI_Send(&channel->peer, 1, MPI_INT, channel->peer, tag, MPI_COMM_SELF);
    pthread_mutex_unlock(&channel->mutex);
}

static void* receive(void* argument) {
    struct channel* mine = argument;
    pthread_mutex_lock(&mine->mutex);
    MPI_Recv(&mine->peer, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mine->mutex);
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    channel = malloc(sizeof *channel);
    pthread_mutex_init(&channel->mutex, NULL);
    channel->peer = 0;
    pthread_create(&thread, NULL, receive, channel);
    send(1);
    pthread_join(thread, NULL);
    struct port* port = calloc(1, sizeof(struct port));
    omp_init_lock(&port->lock);
#pragma omp parallel
    {
        omp_set_lock(&port->lock);
        MPI_Send(&argc, 1, MPI_INT, port->peer, 2, MPI_COMM_SELF);
        omp_unset_lock(&port->lock);
    }
    free(port);
    free(channel);
    MPI_Finalize();
    return 0;
}

/* A thread is joined under the condition that it was started under, whatever is done under the opposite one in between.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static volatile int active;
static pthread_t server;

static void* progress(void* unused) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return unused;
}

static void* serve(void* unused) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char** argv) {
    int level;
    pthread_t thread;
    int wants_server = argc > 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    if (level == MPI_THREAD_MULTIPLE) {
        active = 1;
        pthread_create(&thread, NULL, progress, NULL);
    }
    if (level != MPI_THREAD_MULTIPLE) MPI_Barrier(MPI_COMM_WORLD);
    if (level == MPI_THREAD_MULTIPLE) {
        active = 0;
        pthread_join(thread, NULL);
    }
    if (level == MPI_THREAD_MULTIPLE) {
        if (wants_server) {
            active = 1;
            pthread_create(&server, NULL, serve, NULL);
        }
        if (wants_server) {
            active = 0;
            pthread_join(server, NULL);
        }
    }
    MPI_Finalize();
    return 0;
}

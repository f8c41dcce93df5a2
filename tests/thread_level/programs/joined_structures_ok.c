/* Threads with structures on the heap, each with a communicator of its own, which main makes while
   others use theirs, and frees as soon as the thread is joined.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

struct worker {
    pthread_t thread;
    MPI_Comm communicator;
};

static void* work(void* data) {
    struct worker* worker = (struct worker*)data;
    int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, worker->communicator);
    return NULL;
}

static void run(int count) {
    struct worker* workers = malloc((size_t)count * sizeof *workers);
    for (int i = 0; i < count; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].communicator);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) abort();
    }
    for (int i = 0; i < count; ++i) {
        if (pthread_join(workers[i].thread, NULL) != 0) abort();
        MPI_Comm_free(&workers[i].communicator);
    }
    free(workers);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    run(argc + 3);
    MPI_Finalize();
    return 0;
}

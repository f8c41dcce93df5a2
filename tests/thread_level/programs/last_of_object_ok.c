// Threads that get an object each, with their number and how many there are: the last one calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    int number;
    int threads;
} Part;

static void *in_array(void *argument) {
    Part *part = argument;
    if (part->number == part->threads - 1) MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

typedef struct {
    int number;
    int first;
    double value;
} Job;

static void *on_heap(void *argument) {
    Job *job = (Job *)argument;
    if (job->number == job->first) MPI_Send(&job->value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    free(job);
    return 0;
}

int main(int argc, char **argv) {
    int provided;
    int threads = argc > 1 ? atoi(argv[1]) : 4;
    pthread_t ids[16];
    Part parts[16];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < threads; i++) {
        parts[i].number = i;
        parts[i].threads = threads;
        pthread_create(&ids[i], 0, in_array, &parts[i]);
    }
    for (int i = 0; i < threads; i++) pthread_join(ids[i], 0);
    for (int i = 0; i < 4; i++) {
        Job *job = malloc(sizeof *job);
        job->number = i;
        job->first = 0;
        job->value = i;
        pthread_create(&ids[i], 0, on_heap, job);
    }
    for (int i = 0; i < 4; i++) pthread_join(ids[i], 0);
    MPI_Finalize();
    return 0;
}

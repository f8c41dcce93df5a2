// Threads that compare their number with what is another one for each, or changes.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <pthread.h>

typedef struct {
    int number;
    int peer;
} Part;

static void *run(void *argument) {
    Part *part = argument;
    if (part->number == part->peer - 1) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
    return 0;
}

typedef struct {
    int number;
    int last;
} Job;

static void *work(void *argument) {
    Job *job = argument;
    if (job->number == job->last)
        MPI_Send(&job->number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    return 0;
}

int main(int argc, char **argv) {
    int provided;
    int last = 0;
    pthread_t ids[4];
    Part parts[4];
    Job jobs[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 4; i++) {
        parts[i].number = i;
        parts[i].peer = i + 1;
        pthread_create(&ids[i], 0, run, &parts[i]);
    }
    for (int i = 0; i < 4; i++) pthread_join(ids[i], 0);
    for (int i = 0; i < 4; i++) {
        last = i;
        jobs[i].number = i;
        jobs[i].last = last;
        pthread_create(&ids[i], 0, work, &jobs[i]);
    }
    for (int i = 0; i < 4; i++) pthread_join(ids[i], 0);
    MPI_Finalize();
    return 0;
}

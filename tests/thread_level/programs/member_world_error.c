/* A thread has MPI_COMM_WORLD in a structure; main() uses it by its name.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

struct job {
    MPI_Comm comm;
    double value;
};

static void* reduce(void* argument) {
    struct job* job = argument;
    MPI_Allreduce(MPI_IN_PLACE, &job->value, 1, MPI_DOUBLE, MPI_SUM, job->comm); /* expect: mpi-concurrent-collectives */
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    struct job job = {MPI_COMM_NULL, 0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    job.comm = MPI_COMM_WORLD;
    pthread_create(&thread, NULL, reduce, &job);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

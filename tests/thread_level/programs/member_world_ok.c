/* As member_world_error.c, but the thread has a copy of the communicator.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

struct job {
    MPI_Comm comm;
    double value;
};

static void* reduce(void* argument) {
    struct job* job = argument;
    MPI_Allreduce(MPI_IN_PLACE, &job->value, 1, MPI_DOUBLE, MPI_SUM, job->comm);
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Comm own;
    struct job job = {MPI_COMM_NULL, 0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    job.comm = own;
    pthread_create(&thread, NULL, reduce, &job);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}

/* All threads wait for the same requests, which a function gets by a pointer.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

typedef struct {
    int count;
    MPI_Request requests[4];
} Channel;

static MPI_Request requests[4];
static Channel channel;
static double values[4];

static void finish(MPI_Request* all) {
    MPI_Status statuses[4];
    MPI_Waitall(4, all, statuses); /* expect: mpi-concurrent-request */
}

static void finish_channel(Channel* at) {
    MPI_Status statuses[4];
    MPI_Waitall(4, at->requests, statuses); /* expect: mpi-concurrent-request */
}

static void finish_below(Channel* at) { finish_channel(at); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &channel.requests[i]);
    }
#pragma omp parallel
    {
        finish(requests);
#pragma omp barrier
        finish_below(&channel);
    }
    MPI_Finalize();
}

/* Each thread waits for requests of its own, which a function gets by a pointer.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

typedef struct {
    int count;
    MPI_Request requests[4];
} Channel;

static MPI_Request requests[16];
static Channel channels[4];
static Channel channel;
static double values[4];

static void finish(MPI_Request* all) {
    MPI_Status statuses[4];
    MPI_Waitall(4, all, statuses);
}

static void finish_channel(Channel* at) {
    MPI_Status statuses[4];
    MPI_Waitall(4, at->requests, statuses);
}

static void finish_one(Channel* at, int i) { MPI_Wait(&at->requests[i], MPI_STATUS_IGNORE); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < 16; ++i)
        MPI_Irecv(&values[i % 4], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
#pragma omp parallel num_threads(4)
    {
        MPI_Request own[4];
        for (int i = 0; i < 4; ++i)
            MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &own[i]);
        finish(own);
        finish(&requests[4 * omp_get_thread_num()]);
        finish_channel(&channels[omp_get_thread_num()]);
        finish_one(&channel, omp_get_thread_num());
#pragma omp barrier
#pragma omp single
        finish(requests);
    }
    finish_channel(&channel);
    MPI_Finalize();
}

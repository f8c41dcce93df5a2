/* A lock that is taken again, and released, while it is held.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static omp_nest_lock_t lock;

static void begin(void) { omp_set_nest_lock(&lock); }
static void end(void) { omp_unset_nest_lock(&lock); }

static void start(double* x, int to, int tag, MPI_Request* request) {
    begin();
    MPI_Isend(x, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, request);
    end();
}

static void exchange(double* x, int rank, int tag) {
    double y;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    begin();
    MPI_Irecv(&y, 1, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD, &requests[0]);
    start(x, rank, tag, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    end();
    *x = y;
}

int main(int argc, char** argv) {
    int provided, rank;
    double x[4] = {1, 2, 3, 4};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    omp_init_nest_lock(&lock);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; ++i) exchange(&x[i], rank, i);
    omp_destroy_nest_lock(&lock);
    MPI_Finalize();
}

/* One element of an array in an object that all threads hand to a function.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static MPI_Status statuses[4];

struct halo {
    int count;
    MPI_Request requests[4];
    MPI_Comm comms[2];
};

static void finish(struct halo* halo) {
    MPI_Wait(&halo->requests[0], MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

static void finish_second(struct halo* halo) {
    MPI_Wait(&halo->requests[1], MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

static void meet(struct halo* halo) { MPI_Barrier(halo->comms[1]); } /* expect: mpi-concurrent-collectives */

static void finish_last(struct halo* halo) { MPI_Wait(&halo->requests[0], MPI_STATUS_IGNORE); }

static void finish_all(struct halo* halo) {
    MPI_Waitall(4, halo->requests, statuses); /* expect: mpi-concurrent-request */
}

static void start(struct halo* halo) {
#pragma omp parallel
    MPI_Wait(&halo->requests[2], MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

int main(int argc, char** argv) {
    int provided;
    struct halo halo = {0}, other = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    finish(&halo);
#pragma omp parallel
    finish_second(&halo);
#pragma omp parallel
    meet(&halo);
#pragma omp parallel sections
    {
#pragma omp section
        finish_last(&other);
#pragma omp section
        finish_all(&other);
    }
    start(&halo);
    MPI_Finalize();
    return 0;
}

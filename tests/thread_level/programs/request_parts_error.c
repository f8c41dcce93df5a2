/* One thread waits for an array of requests, elements of which others start or wait for.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

#define COUNT 16

struct Pool {
    MPI_Request* requests;
    int used;
};

static double values[COUNT];
static MPI_Status statuses[2 * COUNT];
static MPI_Request requests[2 * COUNT];
static struct Pool pool;

static void wait_for(struct Pool* all) {
    MPI_Waitall(all->used, all->requests, statuses); /* expect: mpi-concurrent-request */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < COUNT; ++i) {
            double* value = &values[i];
            MPI_Irecv(value, 1, MPI_DOUBLE, 0, i, MPI_COMM_SELF, /* expect: mpi-concurrent-request */
                      &requests[2 * i]);
            MPI_Isend(value, 1, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[2 * i + 1]);
        }
#pragma omp single
        MPI_Waitall(2 * COUNT, requests, statuses);
    }
    int count = 0;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        MPI_Irecv(&values[thread], 1, MPI_DOUBLE, 0, thread, /* expect: mpi-concurrent-request */
                  MPI_COMM_SELF, &requests[thread]);
#pragma omp single
        MPI_Waitall(omp_get_num_threads(), requests, statuses);
    }
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Irecv(&values[0], 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, /* expect: mpi-concurrent-request */
                  &requests[1]);
#pragma omp single
        MPI_Waitsome(2, &requests[0], &count, &argc, statuses);
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Waitall(2, &requests[2], statuses);
#pragma omp section
        MPI_Wait(&requests[3], &statuses[8]); /* expect: mpi-concurrent-request */
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Waitall(3, requests + 4, statuses);
#pragma omp section
        MPI_Waitall(2, &requests[6], &statuses[8]); /* expect: mpi-concurrent-request */
    }
    pool.requests = malloc(COUNT * sizeof *pool.requests);
#pragma omp parallel
    {
        struct Pool* all = &pool;
        wait_for(all);
    }
    MPI_Finalize();
}

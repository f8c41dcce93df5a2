/* Arrays of requests, which threads use one after the other, or a part of each.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

#define COUNT 16

struct Pool {
    MPI_Request* requests;
    int used;
};

static double values[2 * COUNT];
static MPI_Status statuses[2 * COUNT];
static MPI_Request requests[2 * COUNT];
static struct Pool pools[8];

static void wait_for(struct Pool* all) {
    MPI_Waitall(all->used, all->requests, statuses);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < COUNT; ++i) {
            double* value = &values[i];
            MPI_Irecv(value, 1, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[2 * i]);
            MPI_Isend(value, 1, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[2 * i + 1]);
        }
#pragma omp single
        MPI_Waitall(2 * COUNT, requests, statuses);
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Waitall(COUNT, requests, statuses);
#pragma omp section
        MPI_Waitall(COUNT, requests + COUNT, statuses);
    }
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Irecv(&values[0], 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[2]);
#pragma omp single
        MPI_Waitall(2, requests, statuses);
    }
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = COUNT; i < argc; ++i)
            MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_SELF, &requests[i]);
#pragma omp single
        MPI_Waitall(COUNT, requests, statuses);
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Waitall(2, &requests[2], statuses);
#pragma omp section
        MPI_Wait(&requests[4], &statuses[8]);
#pragma omp section
        MPI_Wait(&requests[1], &statuses[9]);
#pragma omp section
        MPI_Waitall(3, requests + 5, &statuses[10]);
    }
#pragma omp parallel
    {
        MPI_Request own[2];
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, omp_get_thread_num(), MPI_COMM_SELF, &own[i]);
        MPI_Waitall(2, own, statuses);
    }
#pragma omp parallel num_threads(8)
    {
        struct Pool* all = &pools[omp_get_thread_num()];
        wait_for(all);
    }
    MPI_Finalize();
}

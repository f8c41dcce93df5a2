/* Each thread hands its own file, its own requests on the heap, or another element of an array, to
   functions.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static void read_all(MPI_File file, double* values) {
    MPI_File_read_all(file, values, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void finish(int count, MPI_Request* requests) {
    MPI_Status statuses[8];
    MPI_Waitall(count, requests, statuses);
}

static void finish_one(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

int main(int argc, char** argv) {
    int provided;
    double values[64];
    MPI_File files[64];
    MPI_Request* requests = malloc(64 * sizeof *requests);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 64; ++i) {
        MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_RDONLY, MPI_INFO_NULL, &files[i]);
        MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
    }
#pragma omp parallel
    {
        double got[2];
        const int me = omp_get_thread_num();
        MPI_Request* own = malloc(2 * sizeof *own);
        MPI_File file = files[me];
        read_all(file, got);
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(&got[i], 1, MPI_DOUBLE, 0, 100 + 2 * me + i, MPI_COMM_WORLD, &own[i]);
        finish(2, own);
        free(own);
        finish_one(&requests[me]);
    }
#pragma omp parallel for
    for (int i = 0; i < 64; ++i)
        finish_one(requests + i);
    MPI_Finalize();
}

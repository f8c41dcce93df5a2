/* A file, and requests on the heap, which all threads hand to functions: they are one for all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

static void read_all(MPI_File file, double* values) {
    MPI_File_read_all(file, values, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

static void read_below(MPI_File file, double* values) { read_all(file, values); }

static void finish(int count, MPI_Request* requests) {
    MPI_Status statuses[8];
    MPI_Waitall(count, requests, statuses); /* expect: mpi-concurrent-request */
}

static void finish_first(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
}

int main(int argc, char** argv) {
    int provided;
    double values[4];
    MPI_File file;
    MPI_Request* requests = malloc(4 * sizeof *requests);
    MPI_Request* one = malloc(sizeof *one);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < 4; ++i)
        MPI_Irecv(&values[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Irecv(values, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, one);
#pragma omp parallel
    {
        double own;
        read_below(file, &own);
#pragma omp barrier
        finish(4, requests);
#pragma omp barrier
        finish_first(one);
    }
    MPI_File_close(&file);
    MPI_Finalize();
}

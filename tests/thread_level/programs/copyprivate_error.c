/* One thread of a team makes a communicator, a file or a request, and all others get a copy of it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        MPI_Comm comm;
        MPI_File file;
        MPI_Request request;
        double x = 1;
#pragma omp single copyprivate(comm)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm); /* expect: mpi-concurrent-collectives */
#pragma omp barrier
#pragma omp single copyprivate(request)
        MPI_Ibarrier(comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
#pragma omp barrier
#pragma omp single copyprivate(file)
        MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        MPI_File_close(&file); /* expect: mpi-concurrent-request */
    }
    MPI_Finalize();
}

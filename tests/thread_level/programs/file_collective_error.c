/* Split, nonblocking and shared collective operations of several threads on one file.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, values[64] = {0};
    MPI_File file;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#pragma omp parallel
    MPI_File_write_at_all_begin(file, 0, values, 1, MPI_INT); /* expect: mpi-concurrent-request */
#pragma omp parallel
    MPI_File_read_all_end(file, values, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
#pragma omp parallel
    {
        MPI_Request request;
        MPI_File_iwrite_at_all(file, 0, values, 1, MPI_INT, &request); /* expect: mpi-concurrent-request */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET); /* expect: mpi-concurrent-request */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}

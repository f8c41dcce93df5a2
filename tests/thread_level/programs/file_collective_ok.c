/* As file_collective_error.c, but one thread does them, or each for itself.
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
    {
#pragma omp single
        MPI_File_write_at_all_begin(file, 0, values, 1, MPI_INT);
#pragma omp master
        MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
#pragma omp barrier
        MPI_Request request;
        MPI_File_iwrite_at(file, omp_get_thread_num(), values, 1, MPI_INT, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_File_write_shared(file, values, 1, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp barrier
#pragma omp single
        MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}

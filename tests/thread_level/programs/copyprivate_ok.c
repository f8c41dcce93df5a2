/* One thread of a team makes a communicator and a file for all, and one uses them; or each thread has
   made one of its own again.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        MPI_Comm comm;
        MPI_File file;
        MPI_Request request;
        int value = 0;
        double x = 1;
#pragma omp single copyprivate(comm, file)
        {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        }
        MPI_Send(&x, 1, MPI_DOUBLE, 0, omp_get_thread_num(), comm);
#pragma omp single
        {
            MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
            MPI_File_close(&file);
        }
#pragma omp single copyprivate(request)
        MPI_Ibarrier(comm, &request);
#pragma omp master
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp barrier
        MPI_Irecv(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}

/* Two tasks, a task and who makes it, or tasks of a loop have copies of one request.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, flag, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp task
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
#pragma omp task
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp master
    {
        MPI_Request in_both;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &in_both);
#pragma omp task
        MPI_Wait(&in_both, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
        MPI_Test(&in_both, &flag, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; ++i) {
        MPI_Request of_round;
        MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &of_round);
        for (int k = 0; k < 3; ++k) {
#pragma omp task
            MPI_Wait(&of_round, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
        }
    }
    MPI_Finalize();
}

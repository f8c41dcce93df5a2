/* Each task has a copy of another request, the only one of a request, or comes when the other one is
   done.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, flag, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        MPI_Request own;
        MPI_Irecv(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF, &own);
#pragma omp task
        MPI_Wait(&own, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; ++i) {
        MPI_Request of_round;
        MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &of_round);
        if (i % 2) {
#pragma omp task
            MPI_Wait(&of_round, MPI_STATUS_IGNORE);
        } else {
#pragma omp task
            MPI_Wait(&of_round, MPI_STATUS_IGNORE);
        }
    }
#pragma omp parallel
#pragma omp single
    {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp task
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
#pragma omp task
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp single
    {
        MPI_Request last;
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &last);
#pragma omp task
        MPI_Test(&last, &flag, MPI_STATUS_IGNORE);
#pragma omp taskwait
#pragma omp task
        MPI_Wait(&last, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task
        {
            MPI_Request inside;
            MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &inside);
            MPI_Wait(&inside, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}

/* Copies that each thread sets itself, or that one thread uses, or tasks of which each gets a copy of
   another one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void start(int* value, int tag, MPI_Request* request) {
    MPI_Irecv(value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, request);
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    request = MPI_REQUEST_NULL;
#pragma omp parallel firstprivate(request, value)
    {
        MPI_Irecv(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#pragma omp parallel firstprivate(request, value)
    {
        start(&value, omp_get_thread_num(), &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp parallel firstprivate(request)
    {
#pragma omp master
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#pragma omp parallel firstprivate(comm)
    {
#pragma omp single
        MPI_Barrier(comm);
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &request);
#pragma omp task firstprivate(comm, request)
        {
            MPI_Send(&i, 1, MPI_INT, 0, i, comm);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}

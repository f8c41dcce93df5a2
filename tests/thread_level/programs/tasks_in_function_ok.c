/* Tasks with dependences that a function makes, which one thread calls.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int token;
static double halo[8];

static void exchange(void) {
#pragma omp task depend(inout : token)
    MPI_Send(halo, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
#pragma omp task depend(inout : token)
    MPI_Recv(halo, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void pass(double* part) {
    for (int i = 0; i < 4; ++i) {
#pragma omp task depend(inout : part[0])
        MPI_Send(part, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
    }
#pragma omp task depend(in : part[0])
    MPI_Recv(part, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
#pragma omp taskwait
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp single
        exchange();
#pragma omp single
        for (int i = 0; i < 8; ++i) pass(halo + i);
#pragma omp master
        {
#pragma omp task depend(out : token)
            MPI_Send(halo, 8, MPI_DOUBLE, 0, 3, MPI_COMM_SELF);
#pragma omp taskwait depend(in : token)
            MPI_Recv(halo, 8, MPI_DOUBLE, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}

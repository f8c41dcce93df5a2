/* Tasks that a function makes, with dependences that do not order all of them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int token, other;
static double halo[8];

static void exchange(void) {
#pragma omp task depend(inout : token)
    MPI_Send(halo, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp task depend(inout : token)
    MPI_Recv(halo, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void read_only(void) {
#pragma omp task depend(in : token)
    MPI_Send(halo, 8, MPI_DOUBLE, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp task depend(in : token)
    MPI_Recv(halo, 8, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void pass(double* part) {
#pragma omp task depend(inout : part[0])
    MPI_Send(part, 1, MPI_DOUBLE, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        exchange();
#pragma omp barrier
#pragma omp single
        read_only();
#pragma omp single
        for (int i = 0; i < 8; ++i) pass(halo + i);
#pragma omp single
        {
#pragma omp task depend(out : token)
            MPI_Send(halo, 8, MPI_DOUBLE, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp taskwait depend(in : other)
            MPI_Recv(halo, 8, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}

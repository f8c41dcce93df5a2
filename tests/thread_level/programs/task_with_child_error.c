/* What depends on a task does not wait for children of that, which may still be under way; nor for
   children of a child that only waited for its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    double x = 0, y = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
#pragma omp task shared(y)
            MPI_Bcast(&y, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        }
#pragma omp task depend(in : x)
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
#pragma omp task shared(y)
            {
#pragma omp task shared(y)
                MPI_Bcast(&y, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
            }
#pragma omp taskwait
        }
#pragma omp task depend(in : x)
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

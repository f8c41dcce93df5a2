/* A task that waits for its children is done before what depends on it, and so are they.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    double x = 0, y = 0, z = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
#pragma omp task shared(y)
            MPI_Bcast(&y, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma omp taskwait
        }
#pragma omp task depend(inout : x)
        {
#pragma omp taskgroup
            {
#pragma omp task shared(z)
                {
#pragma omp task shared(z)
                    MPI_Bcast(&z, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
                }
            }
        }
#pragma omp task depend(in : x)
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* A variable that each thread has for itself, and another communicator in each.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static __thread MPI_Comm mine;
static MPI_Comm lanes[4];

static double sum(double value) {
    double result;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_SUM, mine);
    return result;
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < 4; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i]);
#pragma omp parallel num_threads(4)
    {
        mine = lanes[omp_get_thread_num()];
        sum(1.0);
    }
    MPI_Finalize();
    return 0;
}

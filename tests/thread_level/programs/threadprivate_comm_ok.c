/* Each thread makes a communicator of its own, one after the other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
static MPI_Comm my_comm;
#pragma omp threadprivate(my_comm)
int main(int argc, char **argv) {
    int provided, r;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel private(r)
    {
        int v = omp_get_thread_num();
        for (int i = 0; i < omp_get_num_threads(); i++) {
            if (i == v) MPI_Comm_dup(MPI_COMM_WORLD, &my_comm);
#pragma omp barrier
        }
        MPI_Allreduce(&v, &r, 1, MPI_INT, MPI_SUM, my_comm);
        MPI_Barrier(my_comm);
    }
    MPI_Finalize();
}

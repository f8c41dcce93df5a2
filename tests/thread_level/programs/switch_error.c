/* Two cases of a switch over the thread number call at the same time; others are for one thread
   that is not the main one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4) firstprivate(value)
    {
        switch (omp_get_thread_num()) {
            case 0:
                MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
                break;
            case 1:
                MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
                break;
        }
    }
#pragma omp parallel num_threads(4) firstprivate(value)
    {
        switch (omp_get_thread_num()) {
            case 2:
                MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
                break;
            default:
                value = 1;
        }
    }
#pragma omp parallel num_threads(4) firstprivate(value)
    {
        switch (omp_get_thread_num()) {
            case 0:
                value = 1;
                break;
            default:
                MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
    MPI_Finalize();
}

/* The number of the thread is asked for in front of, or behind, a static variable that is the same
   for all threads: both conditions hold.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int rank;
static int phase;

static void gather(int* values) {
    int me = omp_get_thread_num();
    if (me != 0) return;
    if (rank == 2) MPI_Gather(values, 1, MPI_INT, values, 1, MPI_INT, 2, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    phase = argc > 2 ? 4 : 5;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 0 && rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1 && me == 0)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 0) {
            switch (phase) {
                case 4:
                    MPI_Barrier(MPI_COMM_WORLD);
                    break;
                case 5:
                    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
                    break;
                default:
                    break;
            }
        }
        if (me == 0) {
            if (rank > 3) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        gather(&value);
    }
    MPI_Finalize();
}

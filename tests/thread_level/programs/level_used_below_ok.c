/* The level that is requested is asked for, and used by what is called there: it is not too high,
   though a lower one would do.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static int level;

static void send(int value) { MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, value, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        if (level == MPI_THREAD_MULTIPLE) {
            send(omp_get_thread_num());
        } else {
#pragma omp critical
            send(omp_get_thread_num());
        }
    }
    MPI_Finalize();
}

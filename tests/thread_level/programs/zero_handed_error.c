/* All threads of a team say that they are thread 0.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void sync(int me) {
    if (me == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void sync_if(int is_master) {
    if (is_master) MPI_Bcast(&is_master, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    sync(0);
#pragma omp parallel
    sync_if(omp_get_thread_num() == 0);
#pragma omp parallel
    sync(0);
#pragma omp parallel
    sync_if(1);
    MPI_Finalize();
    return 0;
}

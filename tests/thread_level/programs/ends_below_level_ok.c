/* Where the level is too low, the program ends, by way of what ends it anyhow: all that it does with
   MPI needs the level.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int provided = 0;
    int status = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "no threads\n");
        goto done;
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
    }
    status = 0;
done:
    MPI_Finalize();
    return status;
}

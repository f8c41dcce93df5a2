/* A level that is provided in both ways, and regions whose threads have nothing to do with it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void send_by_all(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (provided >= MPI_THREAD_SERIALIZED) {
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me > 0) {
            if (provided < MPI_THREAD_MULTIPLE)
                MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (provided == MPI_THREAD_MULTIPLE) {
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        }
    }
    /* Each thread makes a team of its own, or none. */
#pragma omp parallel
    {
#pragma omp parallel if (provided == MPI_THREAD_MULTIPLE)
        {
            int me = omp_get_thread_num();
            MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel if (argc > 3)
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    /* There may be one thread that calls it, which makes a team then. */
#pragma omp parallel if (provided == MPI_THREAD_MULTIPLE)
    send_by_all();
    MPI_Finalize();
}

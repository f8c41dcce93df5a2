/* Collective operations that come in the same order in all processes, whoever calls them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static double parts[16], one;

static void both(void) {
    MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
#pragma omp critical
        {
            MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
#pragma omp parallel
    {
#pragma omp critical
        both();
    }
#pragma omp parallel
    {
        omp_set_lock(&lock);
        both();
        omp_unset_lock(&lock);
    }
#pragma omp parallel for ordered
    for (int i = 0; i < 16; ++i) {
#pragma omp ordered
        MPI_Allreduce(MPI_IN_PLACE, parts + i, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#pragma omp parallel
    {
        double value = omp_get_thread_num();
#pragma omp critical
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

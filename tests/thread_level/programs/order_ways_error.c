/* One critical section with different collective operations, or with what is each thread's own.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static double parts[16], one;
static MPI_Comm own[8];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel num_threads(8)
    {
        const int thread = omp_get_thread_num();
#pragma omp critical
        if (thread == 1)
            MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-collective-order */
    }
#pragma omp parallel num_threads(8)
    {
#pragma omp critical
        MPI_Comm_dup(MPI_COMM_WORLD, &own[omp_get_thread_num()]); /* expect: mpi-collective-order */
    }
#pragma omp parallel for
    for (int i = 0; i < 16; ++i) {
#pragma omp critical
        MPI_Allreduce(MPI_IN_PLACE, parts + i, 1, MPI_DOUBLE, MPI_SUM, /* expect: mpi-collective-order */
                      MPI_COMM_WORLD);
    }
#pragma omp parallel for
    for (int i = 0; i < 16; ++i) {
#pragma omp critical
        if (i % 2 == 0)
            MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-collective-order */
    }
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        omp_set_lock(&lock);
        MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-collective-order */
        omp_unset_lock(&lock);
        omp_set_lock(&lock);
        MPI_Barrier(MPI_COMM_WORLD);
        omp_unset_lock(&lock);
    }
    MPI_Finalize();
}

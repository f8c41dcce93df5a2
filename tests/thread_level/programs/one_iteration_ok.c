/* One iteration of a worksharing loop, and conditions kept in variables.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    double value = 0;
    const int verbose = argc > 1;
    const int count = 50 + verbose;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) {
        if (i == 0) MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
#pragma omp parallel
    {
        for (int round = 0; round < 4; ++round) {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < count; ++i) {
                if (i != count - 1) continue;
                MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
            }
        }
    }
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const int speaks = thread == 0 && verbose && argc < 5;
        const int is_silent = thread != 0 || !verbose;
        if (speaks) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (!is_silent) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

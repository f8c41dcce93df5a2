/* One iteration of a worksharing loop, where the address of its counter is taken.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

extern void show(const int* number);
static double values[64];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) {
        if (i == 5) MPI_Barrier(MPI_COMM_WORLD);
        if (values[i] > 2.0) show(&i);
        values[i] += i;
    }
    MPI_Finalize();
}

// Ordered loops over pointers, one of which goes back: an iteration waits for another one than that
// right before.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

struct Row {
    double values[50];
};

static Row rows[8];

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    const Row* const first = rows;
#pragma omp parallel for ordered(1)
    for (Row* row = rows + 7; row > first; row--) {
#pragma omp ordered depend(sink : row + 2)
        MPI_Send(row->values, 50, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1)
    for (const Row* row = first; row < rows + 8; row++) {
#pragma omp ordered depend(sink : row - 2)
        MPI_Send(row->values, 50, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
#pragma omp ordered depend(source)
    }
    MPI_Finalize();
}

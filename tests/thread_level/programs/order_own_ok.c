/* The same calls in order, or with what is the same for all threads that are there at a time.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static double rows[16][4], one;

static void spread(int row, int root) {
    MPI_Bcast(rows[row], 4, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

static void sum(double* value) {
#pragma omp critical(sums)
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void from(int root) {
#pragma omp critical(roots)
    MPI_Bcast(&one, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 16; ++i) {
#pragma omp ordered
        spread(i, i % size);
    }
    for (int i = 0; i < 16; ++i) {
#pragma omp parallel
        {
            int last = size - 1;
            sum(&rows[i][0]);
#pragma omp barrier
            from(i % size);
#pragma omp barrier
            from(last);
        }
    }
#pragma omp parallel
    for (int i = 0; i < size; ++i) {
#pragma omp critical
        MPI_Bcast(&one, 1, MPI_DOUBLE, i, MPI_COMM_WORLD);
#pragma omp barrier
    }
    MPI_Finalize();
    return 0;
}

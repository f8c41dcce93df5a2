/* One call in a critical section, with what differs from thread to thread: the root, or an element
   that a function is handed the number or the address of.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static double rows[16][4], one;

static void spread(int row, int root) {
    MPI_Bcast(rows[row], 4, MPI_DOUBLE, root, MPI_COMM_WORLD); /* expect: mpi-collective-order */
}

static void sum(double* value) {
#pragma omp critical(sums)
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
}

static void sum_row(int row) {
#pragma omp critical(rows)
    MPI_Allreduce(MPI_IN_PLACE, rows[row + 1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
}

static void hand_on(int row) { sum_row(row); }

static void from(int root) {
#pragma omp critical(roots)
    MPI_Bcast(&one, 1, MPI_DOUBLE, root, MPI_COMM_WORLD); /* expect: mpi-collective-order */
}

int main(int argc, char** argv) {
    int provided, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 16; ++i) {
#pragma omp critical
        spread(i, i % size);
    }
#pragma omp parallel for
    for (int i = 0; i < 16; ++i) sum(&rows[i][0]);
#pragma omp parallel for
    for (int i = 0; i < 15; ++i) hand_on(i);
#pragma omp parallel for
    for (int i = 0; i < 16; ++i) from(i % size);
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
#pragma omp critical
        MPI_Bcast(&one, 1, MPI_DOUBLE, thread % size, MPI_COMM_WORLD); /* expect: mpi-collective-order */
    }
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < size; ++i) {
#pragma omp task
            {
#pragma omp critical
                MPI_Bcast(&one, 1, MPI_DOUBLE, i, MPI_COMM_WORLD); /* expect: mpi-collective-order */
            }
        }
    }
#pragma omp parallel
    for (int i = 0; i < size; ++i) {
#pragma omp critical
        MPI_Bcast(&one, 1, MPI_DOUBLE, i, MPI_COMM_WORLD); /* expect: mpi-collective-order */
    }
    MPI_Finalize();
    return 0;
}

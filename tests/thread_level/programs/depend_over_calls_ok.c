/* Tasks of two functions that depend on one static variable: one after the other.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int serial;

static void send_row(double* row, int n, int to) {
#pragma omp task depend(in : row[0]) depend(inout : serial)
    MPI_Send(row, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
}

static void receive_row(double* row, int n, int from) {
#pragma omp task depend(out : row[0]) depend(inout : serial)
    MPI_Recv(row, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void solve(double* rows, int n, int rank, int size, int steps) {
    for (int step = 0; step < steps; ++step) {
        if (rank > 0) send_row(rows, n, rank - 1);
        if (rank + 1 < size) receive_row(rows + n, n, rank + 1);
#pragma omp task depend(inout : rows[0])
        rows[0] += 1;
    }
#pragma omp taskwait
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 1;
    double rows[200] = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
#pragma omp single
    solve(rows, 100, rank, size, 10);
    MPI_Finalize();
    return 0;
}

/* "depend" says nothing of tasks that only read the variable, nor of those that other tasks, or
   other threads, make.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int serial;

static void send_row(double* row, int n, int to) {
#pragma omp task depend(in : serial)
    MPI_Send(row, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void reads_only(double* row, int n) {
    send_row(row, n, 0);
    send_row(row + n, n, 1);
#pragma omp taskwait
}

static void receive_row(double* row, int n, int from) {
#pragma omp task depend(inout : serial)
    MPI_Recv(row, n, MPI_DOUBLE, from, from, MPI_COMM_WORLD, /* expect: mpi-thread-level */
             MPI_STATUS_IGNORE);
}

static void made_by_tasks(double* row, int n) {
#pragma omp task
    receive_row(row, n, 0);
#pragma omp task
    receive_row(row, n, 1);
#pragma omp taskwait
}

static void put_row(double* row, int n, int to) {
#pragma omp task depend(inout : serial)
    MPI_Ssend(row, n, MPI_DOUBLE, to, to, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided = 0;
    double rows[200] = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    reads_only(rows, 100);
#pragma omp parallel
#pragma omp single
    made_by_tasks(rows, 100);
#pragma omp parallel
    {
#pragma omp single nowait
        put_row(rows, 100, 0);
#pragma omp single nowait
        put_row(rows, 100, 1);
    }
    MPI_Finalize();
    return 0;
}

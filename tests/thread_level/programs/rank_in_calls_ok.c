/* Calls in turn, of one function or of two, on different sides of the rank: there is one rank.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

struct process {
    int rank, size;
};

static int my_rank, value;

void exchange(int rank) {
    if (rank == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

void collect(int rank) {
    if (rank == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void deliver(int rank) {
    if (rank != 0) {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

void collect_static(void) {
    if (my_rank == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void deliver_static(void) {
    if (my_rank > 0) {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
}

void exchange_member(const struct process* process) {
    if (process->rank == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
}

void solve(int rank) {
#pragma omp parallel
    {
        exchange(rank);
        exchange(rank);
        collect(rank);
        deliver(rank);
    }
}

int main(int argc, char** argv) {
    int provided, rank;
    struct process process;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
    solve(rank);
    solve(rank);
#pragma omp parallel
    {
        collect_static();
        deliver_static();
    }
#pragma omp parallel
    {
        exchange_member(&process);
        exchange_member(&process);
    }
    MPI_Finalize();
}

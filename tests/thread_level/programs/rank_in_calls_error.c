/* Twin of rank_in_calls_ok.c: what decides is another one in the next call, of another variable, or
   of each of several teams.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int value;

void exchange(int rank) {
    if (rank == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, /* expect: mpi-thread-level */
                 MPI_STATUS_IGNORE);
    } else {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

void collect(int side) {
    if (side == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, /* expect: mpi-thread-level */
                 MPI_STATUS_IGNORE);
    }
}

void deliver(int side) {
    if (side != 0) {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

void receive_in_team(int side) {
    if (side == 0) {
#pragma omp master
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, /* expect: mpi-thread-level */
                 MPI_STATUS_IGNORE);
    }
}

void send_in_team(int side) {
    if (side != 0) {
#pragma omp critical
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

void of_one_team(int side) {
#pragma omp parallel
    {
        receive_in_team(side);
        send_in_team(side);
    }
}

int main(int argc, char** argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
    {
        exchange(rank);
        exchange(1 - rank);
    }
#pragma omp parallel
    {
        collect(rank);
        deliver(size);
    }
#pragma omp parallel for
    for (int i = 0; i < 2; i++) of_one_team(i);
    MPI_Finalize();
}

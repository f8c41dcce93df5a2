// What one process does in one thread, and another process in another one, never meets.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

static int own_rank;

static void send(int* value, int peer) { MPI_Send(value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); }

static void receive(int* value, int peer) {
    MPI_Recv(value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(int is_sender, int rank, int size) {
    int value = 0;
    const int is_lower = rank < size / 2;
#pragma omp parallel sections
    {
#pragma omp section
        if (is_sender) send(&value, 1);
#pragma omp section
        if (!is_sender) receive(&value, 0);
    }
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (is_lower) {
            if (thread == 0) send(&value, 1);
        } else if (thread == 1) {
            receive(&value, 0);
        }
#pragma omp barrier
        if (rank >= size / 2 && thread == 1) send(&value, 0);
        if (rank < size / 2 && thread == 0) receive(&value, 1);
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (rank == 0 && thread == 0)
            send(&value, 1);
        else if (rank == 1 && thread == 1)
            receive(&value, 0);
    }
#pragma omp parallel
    {
#pragma omp single nowait
        if (rank % 2 == 0) send(&value, rank + 1);
#pragma omp single
        if (rank % 2 != 0) receive(&value, rank - 1);
    }
#pragma omp parallel num_threads(2)
    {
        if (own_rank == 0 && omp_get_thread_num() == 1) send(&value, 1);
        if (own_rank == 1 && omp_get_thread_num() == 0) receive(&value, 0);
    }
    exchange(rank == 0, rank, size);
    MPI_Finalize();
    return value;
}

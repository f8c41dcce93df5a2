// Conditions that both may hold, or that differ from thread to thread.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static int phase;
static int value;

static void receive(int peer) {
    MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 0;
    int is_sender = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (rank == 0 && thread == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        if (size > 1 && thread == 1) receive(1);
    }
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (rank < 2 && thread == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
        if (rank >= 1 && thread == 1) receive(2);
    }
#pragma omp parallel num_threads(2) firstprivate(is_sender)
    {
        const int thread = omp_get_thread_num();
        if (thread == 0) is_sender = 1;
        if (is_sender && thread == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);  // expect: mpi-thread-level
        if (!is_sender && thread == 1) receive(3);
    }
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (is_sender == 0 && thread == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);  // expect: mpi-thread-level
        if (thread == 0) is_sender = 1;
        if (is_sender == 1 && thread == 1) receive(4);
    }
#pragma omp parallel num_threads(2)
    {
        const int thread = omp_get_thread_num();
        if (phase == 0 && thread == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // expect: mpi-thread-level
        if (thread == 1) phase = size - 1;
        if (phase == 1 && thread == 1) receive(5);
    }
    MPI_Finalize();
    return value;
}

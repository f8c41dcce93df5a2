// The thread whose number a variable has calls MPI, and gives the turn to another one.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

static volatile int turn;
static int next;

static void by_volatile(int value) {
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        while (turn != thread) {
#pragma omp flush
        }
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);
#pragma omp flush
        turn = thread + 1;
#pragma omp flush
    }
}

static void in_rounds(int value) {
#pragma omp parallel
    for (int round = 0; round < 10; ++round) {
        const int thread = omp_get_thread_num();
        const int threads = omp_get_num_threads();
        int now = -1;
        while (now != thread) {
#pragma omp atomic read
            now = next;
        }
        MPI_Send(&value, 1, MPI_INT, 0, round, MPI_COMM_SELF);
#pragma omp atomic write
        next = (thread + 1) % threads;
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    int own = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_volatile(provided);
    in_rounds(provided);
#pragma omp parallel
    {
        int now;
        do {
#pragma omp atomic read
            now = own;
        } while (now != omp_get_thread_num());
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
#pragma omp atomic
        own++;
    }
    MPI_Finalize();
    return 0;
}

// The turn is given away too early, by others, or to several threads.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static volatile int early;
static volatile int foreign;
static volatile int shared;
static volatile int first;

void reset(void) { foreign = 0; }

static void give_early(int value) {
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        while (early != thread) continue;
        early = thread + 1;
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

static void give_for_others(int value) {
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        while (foreign != thread) continue;
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
        foreign = thread + 1;
    }
}

static void give_to_pairs(int value) {
#pragma omp parallel
    {
        const int pair = omp_get_thread_num() / 2;
        while (shared != pair) continue;
        MPI_Send(&value, 1, MPI_INT, 0, pair, MPI_COMM_SELF);  // expect: mpi-thread-level
        shared = pair + 1;
    }
}

static void give_before(int value) {
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (thread == 2) first = thread;
        while (first != thread) continue;
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
        first = thread + 1;
    }
}

static void give_without_turn(int value) {
    int owner = 0;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (owner == thread)
            MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
        owner = thread;
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    give_early(provided);
    give_for_others(provided);
    give_to_pairs(provided);
    give_before(provided);
    give_without_turn(provided);
    MPI_Finalize();
    return 0;
}

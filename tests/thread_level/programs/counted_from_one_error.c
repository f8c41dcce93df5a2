/* Threads that count from 1: 0 is nobody, and 2 is not the main thread. A variable that somebody
   writes to may be any thread's number, and one that is counted up in a loop any number.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int root = 0;
static int last = 2; /* nobody writes to it */
static int slot;
#pragma omp threadprivate(slot)

static void speak(int number) {
    if (number == 2) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void speak_all(int number) {
    if (number != 1)
        MPI_Send(&number, 1, MPI_INT, 0, number, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        me = me + 1;
        if (me == 2) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    speak(omp_get_thread_num() + 1);
#pragma omp parallel
    speak_all(omp_get_thread_num() + 1);
#pragma omp parallel
    {
        slot = omp_get_thread_num() + 1;
        if (slot == 2) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        if (thread == last) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
#pragma omp atomic write
        root = thread;
        if (thread == root)
            MPI_Send(&thread, 1, MPI_INT, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 3; ++round) {
            me = me + 1;
            if (me == 3)
                MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
    MPI_Finalize();
}

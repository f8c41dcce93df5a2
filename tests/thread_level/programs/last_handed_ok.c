/* The number of the thread is handed over, and how many there are: a comparison of the two is for
   one of them, also further down, and where a region's maker has been handed the size.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void finish(int thread, int threads, int value) {
    if (thread == threads - 1) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
}

static void step(int value, int threads, int thread) {
    value += thread;
    finish(thread, threads, value);
}

static void team(int threads, int last) {
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num();
        step(1, threads, thread);
#pragma omp barrier
        if (last != thread) finish(thread, last + 1, 2);
#pragma omp barrier
        finish(thread, omp_get_num_threads(), 3);
    }
}

static void by_itself(int thread) {
    if (omp_get_num_threads() - 1 != thread) return;
    MPI_Barrier(MPI_COMM_SELF);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    team(argc + 2, argc);
#pragma omp parallel
    by_itself(omp_get_thread_num());
    MPI_Finalize();
}

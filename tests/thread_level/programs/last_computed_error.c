/* What the number of the thread is compared with is not for one thread: all but the last, the last
   two, a number of each thread's own, half of the number.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static double part;

static void by_half(int thread, int threads) {
    if (thread / 2 == threads)
        MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void by_own(int thread, int number) {
    if (thread + 1 == number)
        MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    int count = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (thread + 1 < omp_get_num_threads())
            MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (thread + 2 >= omp_get_num_threads())
            MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        const int thread = omp_get_thread_num() + 1;
        if (thread != omp_get_num_threads())
            MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        int mine;
#pragma omp atomic capture
        mine = count++;
        if (thread + 1 == mine)
            MPI_Send(&part, 1, MPI_DOUBLE, 0, thread, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
        by_own(thread, mine);
    }
#pragma omp parallel
    by_half(omp_get_thread_num(), omp_get_num_threads());
    MPI_Finalize();
}

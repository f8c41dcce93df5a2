/* The number of the thread plus something, and how many threads there are: a comparison of the two
   is for the last one, be it by order.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static const int parts = 4;
static double part, all;

static void close_row(int thread, int threads) {
    if (thread + 1 == threads) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
}

static void close_part(int thread) {
    if (thread + 1 == parts) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
}

static void exchange(void) {
    const int me = omp_get_thread_num() + 1;
    const int threads = omp_get_num_threads();
    if (me == threads) MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
    if (me >= threads) MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
    close_row(me - 1, threads);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const int threads = omp_get_num_threads();
        if (thread + 1 == threads) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        if (thread + 1 < threads) {
            part += thread;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp barrier
        if (thread != threads - 1) {
            part += thread;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp barrier
        if (threads - 1 <= thread) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        exchange();
        close_part(thread);
    }
    MPI_Finalize();
}

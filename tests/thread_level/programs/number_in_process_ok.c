/* Threads are numbered over all processes: no two of a process have one number.
   required: MPI_THREAD_SERIALIZED
   ways: all */
#include <mpi.h>
#include <omp.h>

static double x;

static void over_all(int rank) {
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
        int thread = omp_get_thread_num();
        int id = rank * threads + thread;
        if (id == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
}

static void right_there(int rank, int threads) {
#pragma omp parallel num_threads(threads)
    {
        if (rank * threads + omp_get_thread_num() == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
#pragma omp barrier
        if (omp_get_thread_num() + rank != threads) {
            x = 0;
        } else {
            MPI_Send(&x, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        }
    }
}

static void from_behind(int last) {
#pragma omp parallel
    {
        int left = last - omp_get_thread_num();
        if (left == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    over_all(rank);
    right_there(rank, argc);
    from_behind(argc);
    MPI_Finalize();
    return 0;
}

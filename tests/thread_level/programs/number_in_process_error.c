/* The sum is that of another thread, what is added differs from thread to thread, or more than one number will do.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static double x;

/* The variable is one for all threads. */
static void shared(int rank) {
    int id;
#pragma omp parallel
    {
        id = rank * omp_get_num_threads() + omp_get_thread_num();
        if (id == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void by_order(int rank, int threads) {
#pragma omp parallel num_threads(threads)
    {
        if (rank * threads + omp_get_thread_num() <= 1)
            MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void by_all_others(int rank, int threads) {
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() + rank != threads)
            MPI_Send(&x, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void differs(const int* offsets) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        int id = offsets[thread] + thread;
        if (id == 4) MPI_Send(&x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void not_all(int rank, const int* wanted) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        int id = rank + thread;
        int mine = wanted[thread];
        if (id == mine) MPI_Send(&x, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void halved(int rank) {
#pragma omp parallel
    {
        int pair = omp_get_thread_num() / 2;
        if (rank + pair == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

static void in_task(int rank) {
#pragma omp parallel
    {
        int id = rank + omp_get_thread_num();
#pragma omp task firstprivate(id)
        {
            int mine = id * 0 + omp_get_thread_num() / 4;
            if (rank + mine == 0) MPI_Send(&x, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
}

int main(int argc, char** argv) {
    int provided, rank, offsets[64], wanted[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; i++)
        offsets[i] = wanted[i] = argc * i;
    shared(rank);
    by_order(rank, argc);
    by_all_others(rank, argc);
    differs(offsets);
    not_all(rank, wanted);
    halved(rank);
    in_task(rank);
    MPI_Finalize();
    return 0;
}

/* What no thread of the team writes to while it is at work is one number for all of them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

struct plan {
    int threads;
    double* values;
};

static int rank, root, talker, threads;
static double x;

static void setup(void) {
    const char* text = getenv("TALKER");
    talker = text != NULL ? atoi(text) : 1;
}

static void by_member(struct plan* plan) {
#pragma omp parallel num_threads(plan->threads)
    {
        if (omp_get_thread_num() == plan->threads - 1)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            plan->values[omp_get_thread_num()] += 1;
    }
}

static void by_variable(void) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == talker) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
        if (omp_get_thread_num() == threads - 1) MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided;
    struct plan plan = {4, &x};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    root = argc > 1;
    setup();
#pragma omp parallel
    {
        if (rank == root) {
            if (omp_get_thread_num() == 1)
                MPI_Send(&x, 1, MPI_DOUBLE, 1 - root, 0, MPI_COMM_WORLD);
        } else {
            if (omp_get_thread_num() == 2)
                MPI_Recv(&x, 1, MPI_DOUBLE, root, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    by_member(&plan);
    by_variable();
    MPI_Finalize();
    return 0;
}

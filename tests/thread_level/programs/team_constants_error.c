/* Threads of the team write to what they compare, so that it is not one number for all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct plan {
    int talker;
};

static int root, turn, talker;
static double x;

static void next(void) {
    turn = turn + 1;
}

static void by_member(struct plan* plan) {
#pragma omp parallel
    {
        if (omp_get_thread_num() > 1) plan->talker = omp_get_thread_num();
        if (omp_get_thread_num() == plan->talker) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void by_count(struct plan* plan) {
#pragma omp parallel
    {
#pragma omp atomic
        plan->talker++;
        if (omp_get_thread_num() == plan->talker) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void by_variable(void) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == turn) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        next();
    }
#pragma omp parallel
    {
        talker = omp_get_thread_num();
        if (omp_get_thread_num() == talker) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

int main(int argc, char** argv) {
    int provided, rank;
    struct plan plan = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        if (rank == root) {
            if (omp_get_thread_num() == 1)
                MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
            root = root + 1;
        } else {
            if (omp_get_thread_num() == 2)
                MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    by_member(&plan);
    by_count(&plan);
    by_variable();
    MPI_Finalize();
    return 0;
}

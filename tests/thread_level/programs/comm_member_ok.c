/* A solver with a communicator of its own for each thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

typedef struct {
    MPI_Comm comm;
    int count;
} Solver;

static void sum(const Solver* solver, double* value) {
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, solver->comm);
}

static void norm(const Solver* solver, double* value) {
    *value *= *value;
    sum(solver, value);
}

int main(int argc, char** argv) {
    int provided;
    double values[4] = {0};
    Solver solvers[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < 4; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &solvers[i].comm);
#pragma omp parallel num_threads(4)
    {
        Solver own = solvers[omp_get_thread_num()];
        norm(&solvers[omp_get_thread_num()], &values[omp_get_thread_num()]);
#pragma omp barrier
        norm(&own, &values[omp_get_thread_num()]);
    }
    MPI_Finalize();
}

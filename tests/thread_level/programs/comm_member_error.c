/* A solver has a communicator of its own, but all threads have one solver.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

typedef struct {
    MPI_Comm comm;
    int count;
} Solver;

static void make(Solver* solver) {
    MPI_Comm_dup(MPI_COMM_WORLD, &solver->comm);
}

static void sum(const Solver* solver, double* value) {
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, solver->comm); /* expect: mpi-concurrent-collectives */
}

static void norm(const Solver* solver, double* value) {
    *value *= *value;
    sum(solver, value);
}

int main(int argc, char** argv) {
    int provided;
    double values[100] = {0};
    Solver solver;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    make(&solver);
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) norm(&solver, &values[i]);
    MPI_Finalize();
}

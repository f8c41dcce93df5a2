// One communicator for all threads: which it is does not matter.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

typedef struct {
    MPI_Comm comm;
    int count;
} Solver;

static MPI_Comm pool[2];

static double sum(double part, MPI_Comm comm) {
    double all = 0;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, comm);  // expect: mpi-concurrent-collectives
    return all;
}

static double dot(double part, const Solver* solver) {
    double all = 0;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM,  // expect: mpi-concurrent-collectives
                  solver->comm);
    return all;
}

static void solve(MPI_Comm comm) {
#pragma omp parallel
    sum(1, comm);
}

int main(int argc, char** argv) {
    int provided = 0;
    Solver own;
    const Solver* solver = &own;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &own.comm);
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &pool[i]);
        solve(pool[i]);
    }
    for (int i = 0; i < 10; ++i) {
        MPI_Comm comm = pool[i % 2];
#pragma omp parallel
        MPI_Barrier(comm);  // expect: mpi-concurrent-collectives
    }
#pragma omp parallel
    dot(1, solver);
    MPI_Finalize();
    return 0;
}

// Each thread has a communicator, or one of them is handed to one thread.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

typedef struct {
    MPI_Comm comm;
    int count;
} Solver;

static MPI_Comm pool[4];

static double sum(double part, MPI_Comm comm) {
    double all = 0;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}

static double dot(double part, const Solver* solver) {
    double all = 0;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, solver->comm);
    return all;
}

static void solve(MPI_Comm comm) {
#pragma omp parallel
    {
#pragma omp single
        MPI_Barrier(comm);
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    Solver solvers[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 4; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &pool[i]);
        MPI_Comm_dup(MPI_COMM_WORLD, &solvers[i].comm);
        solve(pool[i]);
    }
#pragma omp parallel num_threads(4)
    {
        MPI_Comm comm = pool[omp_get_thread_num()];
        const Solver* solver = &solvers[omp_get_thread_num()];
        MPI_Barrier(comm);
        sum(1, comm);
        dot(1, solver);
    }
    MPI_Finalize();
    return 0;
}

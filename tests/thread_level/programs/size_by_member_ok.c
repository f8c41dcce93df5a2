/* All teams get their size from one member, and only a team of one thread takes the branch where that is 1.
   required: MPI_THREAD_SERIALIZED
   ways: all */
#include <mpi.h>
#include <omp.h>

struct parameters { int threads; int rounds; };
struct run { struct parameters parameters; int status; };

static int exchange(int status) {
    int all;
    MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static int warm_up(const struct parameters* parameters, int stop) {
    int status = 0;
    for (int i = 0; i < parameters->rounds; i++) {
        if (parameters->threads == 1) {
            status = exchange(stop);
        } else {
#pragma omp barrier
#pragma omp single copyprivate(status)
            status = exchange(stop);
        }
        if (status) break;
    }
    return status;
}

static void finish(const struct run* run) {
    if (run->parameters.threads > 1) {
#pragma omp barrier
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void tell(const struct run* run) {
    if (run->parameters.threads < 2) {
        MPI_Send(&run->status, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
#pragma omp single
        MPI_Send(&run->status, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

static void by_call(const struct parameters* parameters) {
    int threads = parameters->threads;
    omp_set_num_threads(threads);
    if (threads > parameters->rounds) return;
#pragma omp parallel
    warm_up(parameters, 0);
}

static void by_clause(struct run* run) {
    run->status = 0;
#pragma omp parallel num_threads(run->parameters.threads)
    {
        finish(run);
        tell(run);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    struct run run;
    run.parameters.threads = argc > 1 ? 4 : 1;
    run.parameters.rounds = 10;
    by_call(&run.parameters);
    by_clause(&run);
    MPI_Finalize();
    return 0;
}

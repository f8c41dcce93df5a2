/* The variable is looked at in front of a region, and says nothing of what the team finds: it is set in between, is looked at for
   one of two regions only, says the opposite, changes while the team is at work, or is another one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

static int hybrid;
static int fast;
static int shared;
static int wide;
static int quiet;
static double total;

static void add(double x) {
    if (!hybrid) MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void collect(double x) {
    if (!fast) MPI_Reduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void share(double x) {
    if (shared) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void spread(double x) {
    if (!wide) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    total = x;
}

static void end(double x) {
    if (!quiet) MPI_Gather(&x, 1, MPI_DOUBLE, NULL, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void read_options(void) {
    const char* text = getenv("HYBRID");
    hybrid = fast = shared = text != NULL && atoi(text) > 0;
    wide = text == NULL;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    read_options();
    quiet = argc > 1;

    if (hybrid) {
        read_options();
#pragma omp parallel
        add(1.);
    }
    if (fast) {
#pragma omp parallel
        collect(1.);
    }
#pragma omp parallel
    collect(2.);
#pragma omp parallel if (shared)
    share(1.);
    if (wide) {
#pragma omp parallel
        {
            spread(1.);
#pragma omp barrier
#pragma omp single
            wide = 0;
            spread(2.);
        }
    }
#pragma omp parallel if (fast)
    end(1.);
    MPI_Finalize();
    return 0;
}

/* Whether there is a team depends on a variable, and what the team calls looks at it again: what it does where there is none is
   done by one thread. In front of a region, in its `if` clause, and with more than one number; read from the environment.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <stdlib.h>

static int hybrid;
static int mode = 1;
static int fast;
static double part, total;

static void reduce(void) { MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

static void add(double x) {
    if (hybrid) {
#pragma omp barrier
#pragma omp master
        reduce();
#pragma omp barrier
    } else {
        part = x;
        reduce();
    }
}

static void share(double x) {
    if (mode != 2) {
        part = x;
        MPI_Bcast(&part, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return;
    }
#pragma omp atomic
    part += x;
}

static void collect(double x) {
    if (!fast) MPI_Reduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void read_options(void) {
    const char* text = getenv("HYBRID");
    hybrid = text != NULL && atoi(text) > 0;
    mode = text != NULL ? atoi(text) : 1;
}

static void compute(int steps) {
    if (!hybrid) {
        for (int i = 0; i < steps; i++)
            add(i);
        return;
    }
#pragma omp parallel
    add(1.);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    read_options();
    fast = argc > 2;

    compute(10);
#pragma omp parallel if (mode == 2)
    share(1.);
    if (mode == 2) {
#pragma omp parallel
        share(2.);
    }
#pragma omp parallel if (fast)
    collect(1.);
    collect(2.);
    MPI_Finalize();
    return 0;
}

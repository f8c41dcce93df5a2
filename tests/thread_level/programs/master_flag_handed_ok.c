/* A flag that the master sets, and nobody else, is handed to functions.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static double mine, all;

static void reduce(int is_master) {
    if (is_master) MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

static void step(int reports) { reduce(reports); }

static void report(int number, int reports) {
    if (!reports) return;
    MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void work(int number) {
    int is_master = 0;
#pragma omp master
    is_master = 1;
    report(number, is_master);
}

int main(int argc, char** argv) {
    const int verbose = argc > 1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        int is_master = 0, reports = 0;
#pragma omp master
        is_master = 1;
        if (me == 0) reports = 1;
        reduce(is_master);
        step(reports);
        report(me, me == 0 && verbose);
        report(me, 0);
        work(me);
    }
    report(0, 1);
    MPI_Finalize();
}

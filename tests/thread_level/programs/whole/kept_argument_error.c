/* A function of another file puts what it is handed into a member: the number of the thread, but
   not always. */
/* required: MPI_THREAD_MULTIPLE */
/* file: worker.h */
struct worker {
    int core, hyper, cores;
};
void begin(struct worker *worker, int core, int cores);
void set_up(struct worker *worker, int core, int hyper, int cores);
void share(struct worker *worker);
/* file: worker.c */
#include "worker.h"
void set_up(struct worker *worker, int core, int hyper, int cores) {
    worker->core = core;
    worker->hyper = hyper;
    worker->cores = cores;
}
/* file: begin.c */
#include "worker.h"
void begin(struct worker *worker, int core, int cores) {
    set_up(worker, core, 0, cores);
}
/* file: share.c */
#include <mpi.h>
#include "worker.h"
void share(struct worker *worker) {
    if (worker->core == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
#include "worker.h"
int main(int argc, char **argv) {
    int provided = 0;
    struct worker alone;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    begin(&alone, 0, 1);
    share(&alone);
#pragma omp parallel
    {
        struct worker worker;
        begin(&worker, omp_get_thread_num(), omp_get_num_threads());
        share(&worker);
    }
#pragma omp parallel
    {
        struct worker worker;
        begin(&worker, omp_get_thread_num() % 2, 2);
        share(&worker);
    }
    MPI_Finalize();
    return 0;
}

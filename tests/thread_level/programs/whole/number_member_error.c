/* A member that another file sets keeps the number of the thread, but a third file writes something else to it. */
/* required: MPI_THREAD_MULTIPLE */
/* file: worker.h */
struct worker {
    int number, team;
    double *values;
};
void phase(struct worker *worker);
void assign(struct worker *worker, int number);
/* file: phase.c */
#include <mpi.h>
#include "worker.h"
static void talk(struct worker *worker) {
    if (worker->number != 0) return;
    MPI_Send(worker->values, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}
void phase(struct worker *worker) {
    for (int i = worker->number; i < 100; i += worker->team)
        worker->values[i] = i;
    talk(worker);
}
/* file: assign.c */
#include "worker.h"
void assign(struct worker *worker, int number) {
    worker->number = number % 2;
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
#include "worker.h"
static double values[100];
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct worker worker = {omp_get_thread_num(), omp_get_num_threads(), values};
        assign(&worker, omp_get_num_threads());
        phase(&worker);
    }
    MPI_Finalize();
    return 0;
}

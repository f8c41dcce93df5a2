/* Another file sets the flag of any thread. */
/* required: MPI_THREAD_MULTIPLE */
/* file: worker.h */
#include <stdbool.h>
struct worker {
    bool is_first;
    int leads;
};
void phase(const struct worker *worker);
void enlist(struct worker *worker);
/* file: phase.c */
#include <mpi.h>
#include "worker.h"
void phase(const struct worker *worker) {
    if (worker->is_first) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
#pragma omp barrier
    if (!worker->leads) return;
    MPI_Barrier(MPI_COMM_WORLD);
}
/* file: enlist.c */
#include "worker.h"
void enlist(struct worker *worker) {
    worker->is_first = true;
    worker->leads = 1;
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
#include "worker.h"
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct worker worker;
        worker.is_first = omp_get_thread_num() == 0;
        worker.leads = omp_get_thread_num() == 0;
        if (argc > 1) enlist(&worker);
        phase(&worker);
    }
    MPI_Finalize();
    return 0;
}

/* A flag in an object of each thread that another file sets. */
/* required: MPI_THREAD_FUNNELED */
/* file: worker.h */
#include <stdbool.h>
struct worker {
    bool is_first;
    int leads;
};
void phase(const struct worker *worker);
void talk(bool is_first);
/* file: phase.c */
#include <mpi.h>
#include "worker.h"
void phase(const struct worker *worker) {
    if (worker->is_first) MPI_Barrier(MPI_COMM_WORLD);
    if (!worker->leads) return;
    MPI_Barrier(MPI_COMM_WORLD);
}
void talk(bool is_first) {
    if (is_first) MPI_Barrier(MPI_COMM_WORLD);
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
#include "worker.h"
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        struct worker worker;
        worker.is_first = omp_get_thread_num() == 0;
        worker.leads = omp_get_thread_num() == 0;
        phase(&worker);
        talk(worker.is_first);
    }
    MPI_Finalize();
    return 0;
}

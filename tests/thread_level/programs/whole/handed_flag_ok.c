/* Another file hands over whether the thread is the first one. */
/* required: MPI_THREAD_FUNNELED */
/* file: phase.h */
void phase(int may);
void other_phase(int others);
int is_first(void);
/* file: phase.c */
#include <mpi.h>
#include "phase.h"
static double value;
void phase(int may) {
    if (!may) return;
    MPI_Send(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}
void other_phase(int others) {
    if (others) return;
    MPI_Send(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}
/* file: ask.c */
#include <omp.h>
#include "phase.h"
int is_first(void) {
    return omp_get_thread_num() == 0;
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
#include "phase.h"
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        phase(omp_get_thread_num() == 0);
        phase(is_first());
    }
#pragma omp parallel
    other_phase(omp_get_thread_num() != 0);
    MPI_Finalize();
    return 0;
}

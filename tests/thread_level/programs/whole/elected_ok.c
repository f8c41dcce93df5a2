/* file: elect.c */
#include <stdatomic.h>

static int taken;
static atomic_int arrived;

int is_first(void) {
    int mine = 0;
#pragma omp critical
    if (!taken) {
        taken = 1;
        mine = 1;
    }
    return mine;
}

int comes_first(void) { return atomic_fetch_add(&arrived, 1) == 0; }

/* file: main.c
   The thread that another file's function names.
   required: MPI_THREAD_SERIALIZED
   requested: MPI_THREAD_SERIALIZED
   verdict: compliant */
#include <mpi.h>

int is_first(void);
int comes_first(void);

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    if (is_first()) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
#pragma omp parallel
    if (comes_first()) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
    MPI_Finalize();
    return 0;
}

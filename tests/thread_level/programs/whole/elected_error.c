/* file: elect.c */
#include <stdatomic.h>

static int taken;
static atomic_int arrived;

int is_first(void) {
    int mine = 0;
#pragma omp critical
    if (!taken) {
        mine = 1;
    }
    return mine;
}

int comes_first(void) { return atomic_fetch_add(&arrived, 1) > 0; }

/* file: main.c
   The threads that another file's functions name.
   required: MPI_THREAD_MULTIPLE
   requested: MPI_THREAD_SERIALIZED
   verdict: not compliant */
#include <mpi.h>

int is_first(void);
int comes_first(void);

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    if (is_first()) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
#pragma omp parallel
    if (comes_first()) MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
    MPI_Finalize();
    return 0;
}

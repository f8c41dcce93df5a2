/* The lock is released in front of the call that needs it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum action { SET, UNSET };

static omp_lock_t lock;
static int use_lock;

static void operate(enum action what) {
    switch (what) {
        case SET:
            omp_set_lock(&lock);
            break;
        case UNSET:
            omp_unset_lock(&lock);
            break;
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    use_lock = omp_get_max_threads() > 1;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        if (use_lock) operate(SET);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
        if (use_lock) operate(UNSET);
        MPI_Recv(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}

/* A function says whether MPI is initialized, and it may not be: what is asked for there counts. Nor
   does a function say so that remembers what it was told before.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int is_up(void) {
    int flag = 0;
    MPI_Initialized(&flag);
    return flag;
}

static void library_init(void) {
    if (!is_up()) MPI_Init(0, 0);
}

int main(int argc, char** argv) {
    if (argc > 1) {
        int provided = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    library_init();
#pragma omp parallel /* expect: mpi-strict-single */
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}

/* A function says whether MPI is initialized.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
static int is_up(void) { int flag; MPI_Initialized(&flag); return flag; }
static void library_init(void) { if (!is_up()) MPI_Init(0, 0); }
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    library_init();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

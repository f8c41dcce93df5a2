// What a thread has to do is kept by its number, and asked for by a switch: of the others, several
// communicate.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

enum role { COMPUTE, COMMUNICATE };

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        enum role role = omp_get_thread_num() == 0 ? COMPUTE : COMMUNICATE;
        switch (role) {
            case COMMUNICATE:
                MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
                break;
            default:
                break;
        }
    }
    MPI_Finalize();
    return 0;
}

// What a thread has to do is kept by its number, and asked for by a switch.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

enum role { COMMUNICATE, COMPUTE };

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        enum role role = omp_get_thread_num() == 0 ? COMMUNICATE : COMPUTE;
        switch (role) {
            case COMMUNICATE:
                MPI_Barrier(MPI_COMM_WORLD);
                break;
            default:
                break;
        }
    }
    MPI_Finalize();
    return 0;
}

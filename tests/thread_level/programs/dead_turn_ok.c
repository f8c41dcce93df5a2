// Nobody comes to where the turn is asked for.
// required: MPI_THREAD_SINGLE
#include <mpi.h>
#include <omp.h>

static volatile int turn;

int main(int argc, char** argv) {
    int provided = 0;
    int own = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        goto end;
        while (turn != thread) continue;
        MPI_Barrier(MPI_COMM_WORLD);
        turn = thread + 1;
        if (own == thread) own = thread + 1;
    end:;
    }
    MPI_Finalize();
    return own;
}

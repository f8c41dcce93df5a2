/* Each thread has an element of an array, in which its number is.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

enum { MOST = 64 };

struct worker {
    int number;
    double sum;
};

static struct worker workers[MOST];

static void meet(const struct worker* self) {
    if (self->number == 0) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(MOST)
    {
        int me = omp_get_thread_num();
        workers[me].number = me;
        meet(&workers[me]);
#pragma omp barrier
        if (workers[me].number == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

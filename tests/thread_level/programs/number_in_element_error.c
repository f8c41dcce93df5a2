/* Each thread has an element of an array, in which its number is, but all ask the first one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum { MOST = 64 };

struct worker {
    int number;
    double sum;
};

static struct worker workers[MOST];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(MOST)
    {
        int me = omp_get_thread_num();
        workers[me].number = me;
#pragma omp barrier
        if (workers[0].number == 0)
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
    return 0;
}

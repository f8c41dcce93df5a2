/* Each message gets another tag, of a counter.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int next_tag;
static int next_number;
static int value;

static void under_critical(void) {
#pragma omp parallel
    {
        int tag;
#pragma omp critical
        tag = next_tag++;
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }
}

static void atomically(void) {
#pragma omp parallel
    {
        int tag;
#pragma omp atomic capture
        tag = next_number++;
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    under_critical();
    atomically();
    MPI_Finalize();
    return 0;
}

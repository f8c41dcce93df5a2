/* Teams of one thread, which one thread at a time makes.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>

#include <mpi.h>

static void tell(void) {
    int value = 0;
    if (omp_get_thread_num() == 0)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void library(void) {
#pragma omp parallel num_threads(1)
    tell();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    library();
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        library();
#pragma omp barrier
#pragma omp single
        library();
    }
    MPI_Finalize();
}

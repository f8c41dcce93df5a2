/* What conditions say about the thread that calls.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

namespace {

int thread_number() { return omp_get_thread_num(); }

void exchange(int* value) {
#pragma omp parallel shared(value)
    {
        const int tid = omp_get_thread_num();
        if (tid == 0 && *value > 0) MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp barrier
        if (thread_number() == 0) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        if (tid != 0) {
            *value = tid;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        int is_main = 0;
        MPI_Is_thread_main(&is_main);
        if (is_main) MPI_Barrier(MPI_COMM_WORLD);
        if (omp_get_num_threads() == 1) MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!omp_in_parallel()) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int value = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    exchange(&value);
    MPI_Finalize();
}

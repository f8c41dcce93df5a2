/* expect: unordered a b
   expect: collectives a b
   says: 1 rank .: MPI_Allreduce .* on one communicator, in no order: wrong at every thread level
   The second one only looks like a call: it would meet the first one of another process. */
#include "reduce.h"

int main(void) {
    start(MPI_THREAD_MULTIPLE);
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        REDUCE("a", "11", MPI_COMM_WORLD);
#pragma omp single
        {
            const char* const site = "1\tcs\t" FORM "\tMPI_Allreduce\tb\t15\t3\tmpi_program.c";
            mpi_thread_level_call(site, MPI_COMM_WORLD);
            mpi_thread_level_return(site);
        }
    }
    MPI_Finalize();
    return 0;
}

/* expect: context a 2
   expect: context b 0 */
#include "reduce.h"

int main(void) {
    start(MPI_THREAD_SERIALIZED);
#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 10; ++i) {
#pragma omp single
            REDUCE("a", "11", MPI_COMM_WORLD);
        }
    }
    REDUCE("b", "15", MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* expect: unordered a a
   expect: context a 2
   says: 1 MPI_Send by thread . of 4 and .* MPI_THREAD_MULTIPLE */
#include "program.h"

int main(void) {
    for (int i = 0; i < 1000; ++i) {
#pragma omp parallel num_threads(4)
        SEND("a");
    }
    return 0;
}

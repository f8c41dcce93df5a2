/* expect: unordered a b
   says: 1 MPI_THREAD_MULTIPLE */
#include "program.h"

int main(void) {
#pragma omp parallel sections num_threads(4)
    {
#pragma omp section
        SEND_BY_CHANCE("a");
#pragma omp section
        SEND_BY_CHANCE("b");
    }
    return 0;
}

/* expect: unordered a b
   says: 1 MPI_THREAD_MULTIPLE
   Also where one thread executes both: each could have been another one's. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
        SEND_BY_CHANCE("a");
#pragma omp single
        SEND_BY_CHANCE("b");
    }
    return 0;
}

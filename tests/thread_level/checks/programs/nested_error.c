/* expect: unordered a a
   says: 1 MPI_THREAD_MULTIPLE
   One thread of each inner team; they are of different threads of the outer one. */
#include "program.h"

int main(void) {
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp master
    SEND("a");
    return 0;
}

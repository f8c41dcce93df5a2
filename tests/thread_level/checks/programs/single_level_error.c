/* expect: context a 1
   says: 1 by thread 0 of 2 needs MPI_THREAD_FUNNELED, but MPI provides MPI_THREAD_SINGLE */
#define PROVIDED SINGLE
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
    SEND("a");
    return 0;
}

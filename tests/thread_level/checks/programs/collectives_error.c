/* expect: collectives a b
   expect: collectives c c
   expect: unordered c c
   says: 2 in no order: wrong at every thread level */
#define PROVIDED MULTIPLE
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
        /* A lock does not say which comes first. */
        if (omp_get_thread_num() == 1) {
#pragma omp critical
            COLLECTIVE("a", 1);
        }
        if (omp_get_thread_num() == 2) {
#pragma omp critical
            COLLECTIVE("b", 1);
        }
#pragma omp barrier
        COLLECTIVE("c", 1);
    }
    return 0;
}

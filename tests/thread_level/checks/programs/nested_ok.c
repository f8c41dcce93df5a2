/* Kept apart in the outer team: by a lock around the inner region, by a barrier. */
#include "program.h"

int main(void) {
    omp_set_max_active_levels(3);
    for (int i = 0; i < 100; ++i) {
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
            {
#pragma omp parallel num_threads(2)
#pragma omp master
                SEND("a");
            }
#pragma omp barrier
#pragma omp single
            {
#pragma omp parallel num_threads(2)
                {
                    if (omp_get_thread_num() == 1) SEND("b");
#pragma omp barrier
                    if (omp_get_thread_num() == 0) SEND("c");
                }
            }
#pragma omp single
            SEND("d");
        }
    }
    return 0;
}

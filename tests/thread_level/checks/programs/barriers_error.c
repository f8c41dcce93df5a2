/* expect: unordered a b
   says: 1 MPI_THREAD_MULTIPLE
   Loops that end without a barrier. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 1) SEND("a");
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < 8; ++i)
            usleep(1);
        if (omp_get_thread_num() == 2) SEND("b");
    }
    return 0;
}

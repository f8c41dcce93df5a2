/* expect: unordered a b
   says: 1 MPI_THREAD_MULTIPLE */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        SEND("a");
        /* Executed by the main thread, too: the others are late. */
        if (omp_get_thread_num() != 0) usleep(20000);
#pragma omp single
        SEND_BY_CHANCE("b");
    }
    return 0;
}

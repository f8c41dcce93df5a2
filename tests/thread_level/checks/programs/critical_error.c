/* expect: unordered a b
   says: 1 MPI_THREAD_MULTIPLE */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp critical(one)
            SEND("a");
        }
        if (omp_get_thread_num() == 2) {
#pragma omp critical(another)
            SEND("b");
        }
    }
    return 0;
}

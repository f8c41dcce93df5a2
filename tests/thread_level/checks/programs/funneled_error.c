/* expect: context a 2
   expect: context b 2
   says: 1 funneled_error.c:12:3: MPI thread level, rank 7: MPI_Send by thread 2 of 4 needs MPI_THREAD_SERIALIZED, but MPI provides MPI_THREAD_FUNNELED
   says: 1 funneled_error.c:15:3: .* needs MPI_THREAD_SERIALIZED, but MPI provides MPI_THREAD_FUNNELED */
#define PROVIDED FUNNELED
#include "program.h"

int main(void) {
    for (int i = 0; i < 100; ++i) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == 2) SEND("a");
#pragma omp barrier
#pragma omp single
            SEND_BY_CHANCE("b"); /* also if it is the main thread */
        }
    }
    return 0;
}

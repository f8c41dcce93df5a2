/* A thread of the program ends it without MPI_Finalize.
 *
 *   ranks: 1
 *   find: error | missing finalize | 0 | MPI_Comm_rank
 */
#include <pthread.h>
#include <unistd.h>

#include "tests/checked/checked.h"

static void* end(void* unused) {
    (void)unused;
    exit(EXIT_SUCCESS);
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    for (;;) pause();
}

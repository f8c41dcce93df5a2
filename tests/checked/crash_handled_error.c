/* Rank 1 writes to a null pointer. A handler, as libraries that MPI uses have it too, then exits.
 *
 *   ranks: 2
 *   find: error | abend | 1 | LINE(write)
 *   may: incomplete gop
 *   may: incomplete call
 *   may: real hang-up
 */
#include <signal.h>
#include <stdlib.h>

#include "tests/checked/checked.h"

static void give_up(int number) {
    (void)number;
    exit(1);
}

/* Before the recorder's own, which stands in front of it: at the start of the program. */
__attribute__((constructor)) static void handle_crashes(void) { signal(SIGSEGV, give_up); }

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    volatile int* volatile nowhere = NULL;
    if (rank == 1) *nowhere = argc;  // @write
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

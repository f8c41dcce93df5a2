/* Rank 1 finds out by a fault that it may not write somewhere, jumps out of the handler and goes
 * on.
 *
 *   ranks: 2
 */
#include <setjmp.h>
#include <signal.h>

#include "tests/checked/checked.h"

static sigjmp_buf before;

static void go_back(int number) { siglongjmp(before, number); }

__attribute__((constructor)) static void handle_faults(void) { signal(SIGSEGV, go_back); }

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    volatile int* volatile nowhere = NULL;
    if (rank == 1 && sigsetjmp(before, 1) == 0) *nowhere = argc;
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

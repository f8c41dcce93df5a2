/* A process stores where it may not, and its handler of SIGSEGV, which stores once more, is left by a
 * jump each time.
 *
 *   ranks: 2
 */
#include <setjmp.h>
#include <signal.h>

#include "tests/checked/checked.h"

static sigjmp_buf back;
static volatile int faults;

static void look(int number) {
    ++faults;
    if (faults == 1) *(volatile int*)16 = 1;
    (void)number;
    siglongjmp(back, 1);
}

int main(int argc, char** argv) {
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    const int rank = start(&argc, &argv);
    if (rank == 1 && sigsetjmp(back, 1) == 0) *(volatile int*)8 = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

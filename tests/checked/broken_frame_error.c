/* A process crashes where nothing can be told of its stack, which is overwritten: the frame pointer
 * points nowhere. Its handler of SIGSEGV, which is set as runtimes of languages do it, looks at that
 * stack, and crashes, too.
 *
 *   ranks: 2
 *   find: error | abend | 1 | LINE(crash)
 */
#include <signal.h>

#include "tests/checked/checked.h"

static void look(int number) {
    (void)number;
    *(volatile int*)16 = 1;
}

static void overwrite(void) {
    __asm__ volatile("movabs $0x3ff0000000000000, %%rbp\n\tmovl $1, 8" ::: "memory");  // @crash
}

int main(int argc, char** argv) {
    signal(SIGSEGV, look);
    if (start(&argc, &argv) == 1) overwrite();
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

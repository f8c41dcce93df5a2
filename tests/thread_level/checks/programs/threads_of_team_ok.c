/* Teams of one thread, and one that the main thread calls from.
   expect: context a 0
   expect: context b 1 */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(1)
    SEND("a");
#pragma omp parallel if (0)
    SEND("a");
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        SEND("b");
#pragma omp barrier
#pragma omp master
        SEND("b");
    }
    return 0;
}

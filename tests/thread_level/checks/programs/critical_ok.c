/* Only one thread at a time. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        SEND("a");
#pragma omp critical
        SEND("b");
#pragma omp barrier
#pragma omp critical(one)
        SEND("c");
#pragma omp critical(one)
        SEND("d");
    }
    return 0;
}

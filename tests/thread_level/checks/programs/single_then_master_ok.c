/* A call behind the body of a `single` is not in it. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        SEND_BY_CHANCE("a");
#pragma omp master
        SEND("b");
#pragma omp master
        SEND("c");
    }
    return 0;
}

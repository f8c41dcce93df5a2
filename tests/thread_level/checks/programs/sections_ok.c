/* A barrier between the two. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp sections
        {
#pragma omp section
            SEND_BY_CHANCE("a");
        }
#pragma omp sections
        {
#pragma omp section
            SEND_BY_CHANCE("b");
        }
    }
    return 0;
}

/* Each `single` ends with a barrier. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
        for (int i = 0; i < 1000; ++i) {
#pragma omp single
            SEND_BY_CHANCE("a");
#pragma omp single
            COLLECTIVE_BY_CHANCE("b", 1);
        }
    }
    return 0;
}

/* expect: context a 1 */
#define PROVIDED FUNNELED
#include "program.h"

int main(void) {
    for (int i = 0; i < 100; ++i) {
#pragma omp parallel num_threads(4)
#pragma omp master
        SEND("a");
    }
    return 0;
}

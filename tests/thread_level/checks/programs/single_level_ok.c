/* expect: context a 0 */
#define PROVIDED SINGLE
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(2)
    usleep(1);
    SEND("a");
    return 0;
}

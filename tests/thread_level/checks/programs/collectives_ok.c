/* expect: unordered a a
   expect: unordered b b
   Several communicators, other calls on the same one, and loops that say which comes first. */
#define PROVIDED MULTIPLE
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
    {
        COLLECTIVE("a", omp_get_thread_num());
#pragma omp barrier
        SEND("b");
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 8; ++i) {
#pragma omp ordered
            COLLECTIVE("c", 1);
        }
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 8; ++i) {
#pragma omp ordered depend(sink : i - 1)
            COLLECTIVE("d", 1);
#pragma omp ordered depend(source)
        }
    }
    return 0;
}

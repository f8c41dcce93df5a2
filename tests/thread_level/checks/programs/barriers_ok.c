/* Each construct that ends with a barrier. */
#include "program.h"

#define ANOTHER_THREAD \
    if (omp_get_thread_num() == turn++ % 4) SEND("a")

int main(void) {
    int number = 0;
#pragma omp parallel num_threads(4)
    {
        int turn = 0;
        int own = 0;
        ANOTHER_THREAD;
#pragma omp barrier
        ANOTHER_THREAD;
#pragma omp for schedule(static)
        for (int i = 0; i < 8; ++i)
            usleep(1);
        ANOTHER_THREAD;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; ++i)
            usleep(1);
        ANOTHER_THREAD;
#pragma omp sections
        {
#pragma omp section
            usleep(1);
        }
        ANOTHER_THREAD;
#pragma omp single copyprivate(own)
        own = 1;
        usleep((unsigned)own);
        ANOTHER_THREAD;
#pragma omp for reduction(task, + : number)
        for (int i = 0; i < 8; ++i)
            number += i;
        ANOTHER_THREAD;
#pragma omp for schedule(guided)
        for (int i = 0; i < 8; ++i) {
#pragma omp cancel for if (i > 4)
        }
        ANOTHER_THREAD;
#pragma omp barrier
        ANOTHER_THREAD;
    }
    return 0;
}

/* One lock, however it is taken. */
#include "program.h"

static omp_lock_t lock;
static omp_nest_lock_t nested;

int main(void) {
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(4)
    {
        omp_set_lock(&lock);
        SEND("a");
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock))
            usleep(100);
        SEND("b");
        omp_unset_lock(&lock);
#pragma omp barrier
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
        SEND("c");
        omp_unset_nest_lock(&nested);
    }
    return 0;
}

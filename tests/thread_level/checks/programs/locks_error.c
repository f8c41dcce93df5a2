/* expect: unordered a b
   expect: unordered c d
   says: 2 MPI_THREAD_MULTIPLE */
#include "program.h"

static omp_lock_t one, another;
static omp_nest_lock_t nested;

int main(void) {
    omp_init_lock(&one);
    omp_init_lock(&another);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&one);
            SEND("a");
            omp_unset_lock(&one);
        }
        if (omp_get_thread_num() == 2) {
            omp_set_lock(&another);
            SEND("b");
            omp_unset_lock(&another);
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            omp_set_nest_lock(&nested);
            SEND("c");
            omp_unset_nest_lock(&nested);
        }
        if (omp_get_thread_num() == 2) {
            omp_set_nest_lock(&nested);
            omp_unset_nest_lock(&nested);
            SEND("d");
        }
    }
    return 0;
}

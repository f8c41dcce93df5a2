/* One task at a time. */
#include "program.h"

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 100; ++i) {
#pragma omp task
            {
                mpi_thread_level_task_begin();
                SEND("a");
                mpi_thread_level_task_end();
            }
#pragma omp taskwait
#pragma omp task
            {
                mpi_thread_level_task_begin();
                SEND("b");
                mpi_thread_level_task_end();
            }
#pragma omp taskwait
            SEND("c");
        }
    }
    return 0;
}

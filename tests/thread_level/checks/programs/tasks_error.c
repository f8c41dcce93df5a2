/* expect: overlapped a b
   says: 1 ran at the same time.* MPI_THREAD_MULTIPLE */
#include "program.h"

int main(void) {
    mpi_work = meet;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
        {
            mpi_thread_level_task_begin();
            SEND("a");
            mpi_thread_level_task_end();
        }
#pragma omp task
        {
            mpi_thread_level_task_begin();
            SEND("b");
            mpi_thread_level_task_end();
        }
    }
    return 0;
}

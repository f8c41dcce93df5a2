/* Two processes lock two windows in the same order; a third one in the other, when they are done.
 *
 *   ranks: 3
 */
#include <unistd.h>

#include "tests/checked/checked.h"

static void use(MPI_Win first, MPI_Win second) {
    const int number = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, first);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, second);
    MPI_Put(&number, 1, MPI_INT, 2, 0, 1, MPI_INT, first);
    MPI_Put(&number, 1, MPI_INT, 2, 0, 1, MPI_INT, second);
    MPI_Win_unlock(2, second);
    MPI_Win_unlock(2, first);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = NULL;
    MPI_Win first, second;
    MPI_Win_allocate(sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &first);
    MPI_Win_allocate(sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &second);
    if (rank == 0) use(first, second);
    if (rank == 1) {
        usleep(200000);
        use(first, second);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) use(second, first);
    MPI_Win_free(&second);
    MPI_Win_free(&first);
    return finish();
}

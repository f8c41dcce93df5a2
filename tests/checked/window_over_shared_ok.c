/* A window of MPI_Win_create on the memory that MPI_Win_allocate_shared has given: a peer on the same host
 * writes to it directly.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, number = 3;
    MPI_Win shared, window;
    MPI_Info info;
    MPI_Win_allocate_shared(
        16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &shared);
    memory[0] = memory[3] = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shm", "true");
    MPI_Win_create(memory, 16 * sizeof(int), sizeof(int), info, MPI_COMM_WORLD, &window);
    MPI_Info_free(&info);
    MPI_Win_lock_all(0, window);
    MPI_Win_lock_all(0, shared);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
    }
    MPI_Win_sync(shared);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(shared);
    if (rank == 1) memory[3] = memory[0];
    MPI_Win_unlock_all(shared);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Win_free(&shared);
    return finish();
}

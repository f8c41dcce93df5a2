/* The displacement in the dynamic window is the address that the target has told.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static int data[16];
    int value = 1;
    MPI_Aint address;
    MPI_Win window;
    const int rank = start(&argc, &argv);
    MPI_Get_address(&data[4], &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, data, sizeof data);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, address, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_detach(window, data);
    MPI_Win_free(&window);
    return finish();
}

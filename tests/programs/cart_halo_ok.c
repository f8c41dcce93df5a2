/* The same halo on a line that is not periodic: the last rank's send goes to
 * MPI_PROC_NULL, so the sends complete one after the other.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Send LINE(send)
 * call: 1 MPI_Send LINE(send)
 * call: 2 MPI_Send LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* halo = large_buffer();
    int size = world_size();
    int periodic = 0;
    int source = 0;
    int destination = 0;
    MPI_Comm line;
    MPI_Status status;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &line);
    MPI_Cart_shift(line, 0, 1, &source, &destination);
    if (rank == 3) {
        compute_until_released();
    }
    MPI_Send(halo, kRendezvousInts, MPI_INT, destination, 0, line);  // @send
    MPI_Recv(halo, kRendezvousInts, MPI_INT, source, 0, line, &status);
    return finish();
}

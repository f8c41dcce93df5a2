/* Calls through pointers, whose arguments the caller's instructions do not show; one rank computes.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Mprobe LINE(probe)
 * call: 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Ssend LINE(send)
 */
#include "tests/programs/indirect_call.h"
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Message message;
        the_mprobe()(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);  // @probe
        MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        the_recv()(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
        MPI_Recv(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, &status);
    } else if (rank == 2) {
        the_ssend()(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);  // @send
    } else {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    return finish();
}

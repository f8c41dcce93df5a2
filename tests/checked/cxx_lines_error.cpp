/* A communicator and messages by MPI's binding for C++, whose functions are those of a header of
 * the MPI library: the lines are the program's.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Send LINE(send)
 *   find: warning | leaked communicator | 0 1 | MPI_Comm_dup LINE(dup)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI::Intracomm world = MPI::COMM_WORLD.Dup();  // @dup
    float numbers[4] = {1, 2, 3, 4};
    if (rank == 0) {
        world.Send(numbers, 4, MPI::FLOAT, 1, 5);  // @send
    } else {
        world.Recv(numbers, 4, MPI::INT, 0, 5);
    }
    return finish();
}

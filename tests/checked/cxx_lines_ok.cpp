/* Nothing is wrong: a communicator and messages by MPI's binding for C++.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI::Intracomm world = MPI::COMM_WORLD.Dup();
    float numbers[4] = {1, 2, 3, 4};
    if (rank == 0) {
        world.Send(numbers, 4, MPI::FLOAT, 1, 5);
    } else {
        world.Recv(numbers, 4, MPI::FLOAT, 0, 5);
    }
    world.Free();
    return finish();
}

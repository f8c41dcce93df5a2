/* Who has spawned a world disconnects from it while the spawned process waits for a
 * message: the two wait for each other. MPICH gives the communicator up before it waits,
 * so that nobody can tell what the first one waits for.
 */
#include "tests/programs/spawn.h"

int main(int argc, char** argv) {
    int value = 0;
    MPI_Comm bridge;
    start(&argc, &argv);
    bridge = parent();
    if (bridge == MPI_COMM_NULL) {
        bridge = spawn(argv, "child", 1, MPI_COMM_WORLD);
        exchange(bridge);
        MPI_Comm_disconnect(&bridge);
    } else {
        exchange(bridge);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);
    }
    return finish();
}

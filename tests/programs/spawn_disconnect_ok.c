/* Who has spawned a world disconnects from it; the spawned process computes before it
 * does so, too.
 *
 * expect: none
 * starts: 1
 * ranks: 2
 * running: 1
 * call: 0 MPI_Comm_disconnect LINE(disconnect)
 * world: 0
 * world: 1
 */
#include "tests/programs/spawn.h"

int main(int argc, char** argv) {
    MPI_Comm bridge;
    start(&argc, &argv);
    bridge = parent();
    if (bridge == MPI_COMM_NULL) {
        bridge = spawn(argv, "child", 1, MPI_COMM_WORLD);
        exchange(bridge);
    } else {
        exchange(bridge);
        compute_until_released();
    }
    MPI_Comm_disconnect(&bridge);  // @disconnect
    return finish();
}

/* A spawned process spawns another one, which computes before it answers its parent,
 * which then answers its own.
 *
 * expect: none
 * starts: 1
 * ranks: 3
 * running: 2
 * call: 0 MPI_Recv LINE(first)
 * call: 1 MPI_Recv LINE(child)
 * world: 0
 * world: 1
 * world: 2
 */
#include "tests/programs/spawn.h"

int main(int argc, char** argv) {
    int value = 0;
    start(&argc, &argv);
    if (strcmp(role(argc, argv), "grandchild") == 0) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 1, parent());
    } else if (strcmp(role(argc, argv), "child") == 0) {
        MPI_Comm below = spawn(argv, "grandchild", 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, below, MPI_STATUS_IGNORE);  // @child
        MPI_Send(&value, 1, MPI_INT, 0, 0, parent());
    } else {
        MPI_Comm below = spawn(argv, "child", 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, below, MPI_STATUS_IGNORE);  // @first
    }
    return finish();
}

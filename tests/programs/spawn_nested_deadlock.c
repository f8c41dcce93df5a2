/* A spawned process spawns another one; the two wait for each other on the
 * intercommunicator between them, and the first of all waits for its child.
 *
 * expect: deadlock
 * starts: 1
 * ranks: 3
 * core: 1 2
 * wait: 1 all 2 MPI_Recv LINE(child)
 * wait: 2 all 1 MPI_Recv LINE(grandchild)
 * call: 0 MPI_Recv LINE(first)
 * victim: 0 1
 * world: 0
 * world: 1
 * world: 2
 */
#include "tests/programs/spawn.h"

int main(int argc, char** argv) {
    int value = 0;
    start(&argc, &argv);
    if (strcmp(role(argc, argv), "grandchild") == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 2, parent(), MPI_STATUS_IGNORE);  // @grandchild
    } else if (strcmp(role(argc, argv), "child") == 0) {
        MPI_Comm below = spawn(argv, "grandchild", 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, below, MPI_STATUS_IGNORE);  // @child
    } else {
        MPI_Comm below = spawn(argv, "child", 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, below, MPI_STATUS_IGNORE);  // @first
    }
    return finish();
}

/* As spawn_merge_deadlock, but the last process of the first spawned world sends
 * before it waits; it computes before that.
 *
 * expect: none
 * starts: 2
 * ranks: 5
 * running: 3
 * call: 0 MPI_Recv LINE(ring)
 * call: 1 MPI_Recv LINE(ring)
 * call: 2 MPI_Recv LINE(ring)
 * call: 4 MPI_Recv LINE(second)
 * world: 0 1
 * world: 2 3
 * world: 4
 */
#include "tests/programs/spawn.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int is_child = parent() != MPI_COMM_NULL;
    MPI_Comm first = parent();
    MPI_Comm second = MPI_COMM_NULL;
    MPI_Comm family = MPI_COMM_NULL;
    int rank = 0;
    int value = 0;
    if (strcmp(role(argc, argv), "second") == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 7, parent(), MPI_STATUS_IGNORE);  // @second
        return finish();
    }
    if (!is_child) {
        first = spawn(argv, "first", 2, MPI_COMM_WORLD);
        second = spawn(argv, "second", 1, MPI_COMM_WORLD);
    }
    MPI_Intercomm_merge(first, is_child, &family);
    MPI_Comm_set_name(family, "family");
    MPI_Comm_rank(family, &rank);
    if (rank == 3) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 2, 3, family);
    }
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % 4, 3, family, MPI_STATUS_IGNORE);  // @ring
    if (rank != 3) {
        MPI_Send(&value, 1, MPI_INT, (rank + 3) % 4, 3, family);
    }
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 7, second);
    }
    return finish();
}

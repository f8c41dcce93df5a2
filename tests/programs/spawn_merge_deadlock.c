/* Two worlds are spawned, one after the other. The first is merged with its parents,
 * and all four wait for their right neighbours in it; the second waits for a parent.
 * Processes count on from world to world: 0 and 1 have spawned 2 and 3, then 4.
 *
 * expect: deadlock
 * starts: 2
 * ranks: 5
 * core: 0 1 2 3
 * wait: 0 all 1 MPI_Recv LINE(ring)
 * wait: 1 all 2 MPI_Recv LINE(ring)
 * wait: 2 all 3 MPI_Recv LINE(ring)
 * wait: 3 all 0 MPI_Recv LINE(ring)
 * call: 4 MPI_Recv LINE(victim)
 * victim: 4 1
 * world: 0 1
 * world: 2 3
 * world: 4
 * sentence: ranks 0 and 1 of world 0 and ranks 0 and 1 of world 1 wait for each other
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
        MPI_Recv(&value, 1, MPI_INT, 1, 7, parent(), MPI_STATUS_IGNORE);  // @victim
        return finish();
    }
    if (!is_child) {
        first = spawn(argv, "first", 2, MPI_COMM_WORLD);
        second = spawn(argv, "second", 1, MPI_COMM_WORLD);
    }
    MPI_Intercomm_merge(first, is_child, &family);
    MPI_Comm_set_name(family, "family");
    MPI_Comm_rank(family, &rank);
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % 4, 3, family, MPI_STATUS_IGNORE);  // @ring
    if (rank == 1 && !is_child) {
        MPI_Send(&value, 1, MPI_INT, 0, 7, second);
    }
    return finish();
}

/* Two worlds are spawned one after the other, and each gets a message.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Comm parent;
    int number = 0;
    start(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&parent);
        return finish();
    }
    for (number = 1; number <= 2; ++number) {
        MPI_Comm children;
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 0, children);
        MPI_Comm_disconnect(&children);
    }
    return finish();
}

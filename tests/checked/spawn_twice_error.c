/* Two worlds are spawned one after the other; what the second is sent is no integer.
 *
 *   ranks: 1
 *   find: error | wrong data type | 0 2 | MPI_Send LINE(send)
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
        const float real = 1;
        if (number == 1) {
            MPI_Send(&number, 1, MPI_INT, 0, 0, children);
        } else {
            MPI_Send(&real, 1, MPI_FLOAT, 0, 0, children); // @send
        }
        MPI_Comm_disconnect(&children);
    }
    return finish();
}

/* A Cartesian communicator is created by all ranks but one.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Cart_create LINE(create)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Cart_create LINE(create)
 * victim: 1 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0, size = 3, periodic = 1;
    MPI_Comm ring;
    MPI_Status status;
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);  // @create
    return finish();
}

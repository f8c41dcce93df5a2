/* A Cartesian communicator is created; one rank is late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Cart_create LINE(create)
 * call: 1 MPI_Cart_create LINE(create)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int size = 3, periodic = 1;
    MPI_Comm ring;
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);  // @create
    MPI_Comm_free(&ring);
    return finish();
}

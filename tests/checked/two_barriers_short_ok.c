/* Both leave the loop after the third.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    for (int i = 0; i < 3; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

/* Both know the same root of a communicator with reversed ranks.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Bcast(&value, 1, MPI_INT, 1, reversed);
    MPI_Comm_free(&reversed);
    return finish();
}

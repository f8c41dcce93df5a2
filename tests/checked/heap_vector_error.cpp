/* A vector that holds fewer elements than the call says.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Allreduce LINE(short)
 */
#include <vector>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    std::vector<double> parts(50, rank);
    std::vector<double> sums(100);
    MPI_Allreduce(parts.data(), sums.data(), 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // @short
    return finish();
}

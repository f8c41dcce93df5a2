/* A vector that holds as many elements as the call says.
 *
 *   ranks: 2
 */
#include <vector>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    std::vector<double> parts(100, rank);
    std::vector<double> sums(100);
    MPI_Allreduce(parts.data(), sums.data(), 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return finish();
}

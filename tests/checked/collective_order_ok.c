/* Two communicators, whose collectives cannot be mistaken, in the same order.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {rank}, sum[10] = {0};
    MPI_Bcast(data, 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(data, sum, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return finish();
}

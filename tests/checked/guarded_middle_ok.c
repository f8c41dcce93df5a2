/* The same, when it is there.
 *
 *   ranks: 2
 *   option: --guard-buffers
 */
#include "tests/checked/checked.h"

enum { kMany = 64 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[kMany] = {0}, sum = 0;
    MPI_Request request;
    for (int i = 0; i < 2; ++i) {
        if (rank == 0) {
            MPI_Send(numbers, kMany, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Irecv(numbers, kMany, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            sum += numbers[40];
        }
    }
    if (sum < 0) puts("never");
    return finish();
}

/* All lose the request of their first MPI_Ibcast to the second one, which starts while the first
 * still writes to the same buffer: two mistakes, and one is not the other's consequence.
 *
 *   ranks: 2
 *   find: error | unfinished gop | 0 1 | MPI_Ibcast LINE(first)
 *   find: error | overlapping | 1 | MPI_Ibcast LINE(second)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int value = 4;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);  // @first
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);  // @second
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}

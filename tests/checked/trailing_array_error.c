/* An array in the middle of a structure does not; nor is one of numbers of other numbers.
 *
 *   ranks: 2
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(middle)
 *   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(other)
 */
#include "tests/checked/checked.h"

struct numbers {
    double first[1];
    long long count;
    double values[1];
};

int main(int argc, char** argv) {
    start(&argc, &argv);
    struct numbers* const numbers = calloc(2, sizeof *numbers);
    MPI_Bcast(numbers->first, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // @middle
    MPI_Bcast(numbers->values, 2, MPI_LONG, 0, MPI_COMM_WORLD);   // @other
    free(numbers);
    return finish();
}

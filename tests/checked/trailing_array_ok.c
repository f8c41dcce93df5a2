/* An array of one element at the end of a structure stands for as many as there is room for.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

struct numbers {
    int count;
    double values[1];
};

int main(int argc, char** argv) {
    start(&argc, &argv);
    struct numbers* const numbers = calloc(1, sizeof *numbers + 9 * sizeof(double));
    MPI_Bcast(numbers->values, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&numbers->values[0], 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(numbers);
    return finish();
}

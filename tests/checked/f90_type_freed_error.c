/* The datatype for a kind of Fortran's is freed, which is a predefined one.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Type_free LINE(free)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    double value = 0, sum = 0;
    MPI_Datatype real;
    MPI_Type_create_f90_real(12, 100, &real);
    MPI_Allreduce(&value, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&real);  // @free
    return finish();
}

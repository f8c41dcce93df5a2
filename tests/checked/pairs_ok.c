/* Reductions of the standard's pairs, and of what else their operators allow.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    struct {
        double value;
        int place;
    } mine = {1, 2}, best;
    int two[2] = {3, 4}, most[2];
    unsigned char bits = 5, all;
    start(&argc, &argv);
    MPI_Allreduce(two, most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, &all, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    return finish();
}

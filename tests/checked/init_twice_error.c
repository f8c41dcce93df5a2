/* MPI_Init is called twice.
 * 
 *   ranks: 2
 *   find: error | call outside MPI | 0 1 | MPI_Init LINE(again)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Init(&argc, &argv);  // @again
    return finish();
}

/* Two equal groups are freed, the first one first.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int ranks[2] = {0, 1};
    MPI_Group all, equal;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &equal);
    MPI_Group_free(&all);
    MPI_Group_free(&equal);
    return finish();
}

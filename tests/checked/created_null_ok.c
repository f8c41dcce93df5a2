/* Who is in no group asks whether it has got a communicator.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int first = 0;
    MPI_Group all, one;
    MPI_Comm other, copy;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &first, &one);
    MPI_Comm_create(MPI_COMM_WORLD, one, &other);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    if (other != MPI_COMM_NULL) {
        MPI_Barrier(other);
        MPI_Comm_free(&other);
    }
    return finish();
}

/* Tags that differ between operations: one after the other, and of disjoint groups at a time.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

static void create(MPI_Group group, const char* tag) {
    int value = 0, sum;
    MPI_Comm comm;
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int ranks[2] = {rank % 2, rank % 2 + 2};
    MPI_Group all, half;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &half);
    create(all, "step0");
    create(all, "step1");
    create(half, rank % 2 == 0 ? "even" : "odd");
    create(half, "half");
    create(all, "step1");
    MPI_Group_free(&half);
    MPI_Group_free(&all);
    return finish();
}

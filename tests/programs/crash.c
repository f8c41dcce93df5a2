/* Rank 1 crashes while the others wait for it. The first argument says how: "fault" at
 * address 16, "abort", or "early": the fault comes before MPI_Init.
 */
#include <string.h>

#include "tests/programs/scenario.h"

static void store(int* place) {
    *place = 1;  /* @fault */
}

int main(int argc, char** argv) {
    const char* own_rank = getenv("PMI_RANK");
    if (strcmp(argv[1], "early") == 0 && own_rank != NULL && own_rank[0] == '1') store((int*)16);
    const int rank = start(&argc, &argv);
    int value = 0;
    if (rank == 1) {
        if (strcmp(argv[1], "abort") == 0) abort();
        store((int*)16);
    }
    MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    return finish();
}

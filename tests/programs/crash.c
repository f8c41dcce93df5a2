/* Rank 1 crashes while the others wait for it; it has heard from each, so they do. The
 * first argument says how: "fault" at address 16, "abort", or "early": the fault comes
 * before MPI_Init.
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
    int size = 0, value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 1) {
        for (int others = 1; others < size; ++others)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(argv[1], "abort") == 0) abort();
        store((int*)16);
    }
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}

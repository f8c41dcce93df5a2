/* Rank 1 crashes while the others wait for it; it has heard from each, so they do. The
 * first argument says how: "fault" at address 16, "abort", or "early": the fault comes
 * before MPI_Init; "all": up to 16 ranks crash in turn, rank 0 last.
 */
#include <signal.h>
#include <string.h>

#include "tests/programs/scenario.h"

static void store(int* place) {
    *place = 1;  /* @fault */
}

static void wait_for_end(int pid) {
    char path[64], executable[64];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    /* A process that has ended, if only as a zombie, has none. */
    while (readlink(path, executable, sizeof executable) >= 0) usleep(1000);
}

static void crash_in_turn(int rank, int size) {
    int pids[16], own = (int)getpid();
    MPI_Allgather(&own, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
    /* The launcher would kill the others. */
    if (rank == 1) kill(getppid(), SIGSTOP);
    if (rank != 1) wait_for_end(pids[rank == 0 ? size - 1 : rank - 1]);
    if (rank == 0) kill(getppid(), SIGCONT);
    store((int*)16);
}

int main(int argc, char** argv) {
    const char* own_rank = getenv("PMI_RANK");
    if (strcmp(argv[1], "early") == 0 && own_rank != NULL && own_rank[0] == '1') store((int*)16);
    const int rank = start(&argc, &argv);
    int size = 0, value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "all") == 0) crash_in_turn(rank, size);
    if (rank == 1) {
        for (int others = 1; others < size; ++others)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(argv[1], "abort") == 0) abort();
        store((int*)16);
    }
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}

/* Rank 1 follows a null pointer while the others wait for it. Its core file, if the
 * kernel writes one, is in the directory MQI_CORES.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/programs/scenario.h"

struct Cell {
    long value;
    struct Cell* next;
};

static long relax(const struct Cell* cell) {
    return cell->value + (long)cell->next;
}

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    struct Cell* volatile nowhere = NULL;
    signal(SIGUSR1, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        setrlimit(RLIMIT_CORE, &unlimited);
        if (chdir(getenv("MQI_CORES")) != 0) return EXIT_FAILURE;
        return (int)relax(nowhere);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

/// What the scenario programs share that spawn copies of themselves.
#pragma once

#include <string.h>

#include "tests/programs/scenario.h"

/// The role of a spawned process is its first argument; "" in the world that
/// mpiexec started.
static inline const char* role(int argc, char** argv) {
    return argc > 1 ? argv[1] : "";
}

/// Copies of this program in a world of their own, with a role. Collective over `group`.
static inline MPI_Comm spawn(char** argv, const char* name, int processes, MPI_Comm group) {
    char text[32] = "";
    strncpy(text, name, sizeof text - 1);
    char* arguments[] = {text, NULL};
    MPI_Comm bridge = MPI_COMM_NULL;
    MPI_Comm_spawn(
        argv[0], arguments, processes, MPI_INFO_NULL, 0, group, &bridge, MPI_ERRCODES_IGNORE);
    return bridge;
}

/// A message there and one back: MPICH waits in MPI_Comm_disconnect for those with whom
/// a process has communicated.
static inline void exchange(MPI_Comm bridge) {
    int out = 1;
    int in = 0;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 99, &in, 1, MPI_INT, 0, 99, bridge, MPI_STATUS_IGNORE);
}

/// The intercommunicator to those that have spawned this process.
static inline MPI_Comm parent(void) {
    MPI_Comm bridge = MPI_COMM_NULL;
    MPI_Comm_get_parent(&bridge);
    return bridge;
}

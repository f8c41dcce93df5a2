/* Two jobs that know each other by a port: `connected accept FILE` and `connected
 * connect FILE`, with the port's name in the file; each has two ranks. The ranks 0 then
 * wait for each other, the ranks 1 for their own rank 0 in a barrier. With a third
 * argument the accepting rank 0 computes first, and all end. `connected accept-only
 * FILE` waits for somebody who never connects.
 */
#include <string.h>

#include "tests/programs/scenario.h"

static void write_port(const char* file, const char* port) {
    char part[4096];
    FILE* stream;
    snprintf(part, sizeof part, "%s.part", file);
    stream = fopen(part, "w");
    if (stream == NULL) {
        abort();
    }
    fputs(port, stream);
    fclose(stream);
    rename(part, file);
}

static void read_port(const char* file, char* port) {
    const struct timespec pause = {0, 2000000};
    FILE* stream;
    while ((stream = fopen(file, "r")) == NULL) {
        nanosleep(&pause, NULL);
    }
    if (fgets(port, MPI_MAX_PORT_NAME, stream) == NULL) {
        abort();
    }
    fclose(stream);
}

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm bridge;
    int value = 0;
    int rank = start(&argc, &argv);
    const int accepts = argc > 2 && strncmp(argv[1], "accept", 6) == 0;
    const int ends = argc > 3;
    if (accepts) {
        if (rank == 0) {
            MPI_Open_port(MPI_INFO_NULL, port);
        }
        if (rank == 0 && strcmp(argv[1], "accept") == 0) {
            write_port(argv[2], port);
        }
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &bridge);
    } else {
        if (rank == 0) {
            read_port(argv[2], port);
        }
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &bridge);
    }
    MPI_Comm_set_name(bridge, "bridge");
    if (rank == 0) {
        if (ends && accepts) {
            compute_until_released();
            MPI_Send(&value, 1, MPI_INT, 0, 1, bridge);
        }
        MPI_Recv(&value, 1, MPI_INT, 0, 1, bridge, MPI_STATUS_IGNORE);
        if (ends && !accepts) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, bridge);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&bridge);
    return finish();
}

#include "tests/programs/exchange.h"

#include <mpi.h>

static int receive_inner(int source) {
    int value = 0;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &status);  // @receive
    return value;
}

static int receive_outer(int source) {
    return 1 + receive_inner(source);
}

int exchange_receive(int source) {
    return receive_outer(source) - 1;
}

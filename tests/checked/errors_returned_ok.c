/* Handlers of errors are set late and changed again; nothing calls them.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void count(MPI_Comm* comm, int* code, ...) {
    printf("%d %d\n", *comm, *code);
    exit(1);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Comm duplicate;
    MPI_Errhandler counting, there;
    MPI_Comm_create_errhandler(count, &counting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Comm_set_errhandler(duplicate, counting);
    MPI_Comm_get_errhandler(duplicate, &there);
    MPI_Errhandler_free(&there);
    MPI_Errhandler_free(&counting); /* the communicator keeps it */
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 5, duplicate);
    MPI_Bcast(&value, 1, MPI_INT, 0, duplicate);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&duplicate);
    return finish();
}

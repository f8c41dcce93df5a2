/* A communicator and a window that were given no error handler have that of MPI_COMM_WORLD, in MPICH
 * also if it was set later: the program goes on behind each error.
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_Send LINE(send)
 *   find: error | invalid argument | 0 | MPI_Win_lock LINE(lock)
 *   find: error | invalid argument | 0 | MPI_Send LINE(again)
 */
#include "tests/checked/checked.h"

enum { kNobody = 99 };

static int handled = 0;

static void count(MPI_Comm* communicator, int* code, ...) {
    (void)communicator;
    (void)code;
    ++handled;
}

int main(int argc, char** argv) {
    int number = 0;
    MPI_Comm duplicate;
    MPI_Win window;
    MPI_Errhandler handler;
    start(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(&number, 1, MPI_INT, kNobody, 0, duplicate);  // @send
    MPI_Win_lock(MPI_LOCK_SHARED, kNobody, 0, window);     // @lock
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Send(&number, 1, MPI_INT, kNobody, 0, duplicate);  // @again
    if (handled != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_free(&window);
    MPI_Comm_free(&duplicate);
    return finish();
}

/* A second MPI_Win_start is refused, and waits for nobody: what follows has all that it needs.
 *
 *   ranks: 2
 *   find: error | epoch error | 0 1 | MPI_Win_start LINE(again)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int number = 0;
    MPI_Win window;
    MPI_Group all;
    start(&argc, &argv);
    MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_post(all, 0, window);
    MPI_Win_start(all, 0, window);
    MPI_Win_start(all, 0, window);  // @again
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
    return finish();
}
